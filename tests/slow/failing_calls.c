/* Lets calls of the file system fail: a library for LD_PRELOAD, used by failing_calls.py, together.py and
 * tests/it/failing_paths.rs.
 *
 * Calls on paths that begin with FAIL_BELOW are counted for each group (open, read, stat, list, write,
 * move, lock). The call FAIL_NUMBER of the group FAIL_GROUP fails with the error FAIL_ERROR; with FAIL_ON, so do all
 * later ones. With FAIL_PATH, it is every call of the groups open, read, stat and list on this path that fails. At the
 * exit of the process, the counts are appended to the file FAIL_COUNTS; each counted call is appended to FAIL_SEEN. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum group { OPEN, READ, STAT, LIST, WRITE, MOVE, LOCK, GROUPS };
static const char *const names[GROUPS] = {"open", "read", "stat", "list", "write", "move", "lock"};
static long counts[GROUPS];
static long struck;

static const char *setting(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

static void path_of(int descriptor, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    long length = syscall(SYS_readlink, link, path, size - 1);
    path[length < 0 ? 0 : length] = 0;
}

static void absolute(int dir, const char *name, char *path, size_t size) {
    char above[2048];
    if (!name) name = "";
    while (!strncmp(name, "./", 2)) name += 2;
    if (!strcmp(name, ".")) name = "";
    if (name[0] == '/') {
        snprintf(path, size, "%s", name);
        return;
    }
    if (dir == AT_FDCWD) {
        if (syscall(SYS_getcwd, above, sizeof above) < 0) above[0] = 0;
    } else {
        path_of(dir, above, sizeof above);
    }
    snprintf(path, size, "%s%s%s", above, *name ? "/" : "", name);
}

static void note_seen(enum group group, const char *path) {
    char line[4200];
    if (!*setting("FAIL_SEEN")) return;
    int length = snprintf(line, sizeof line, "%s %s\n", names[group], path);
    int file = syscall(SYS_openat, AT_FDCWD, setting("FAIL_SEEN"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (syscall(SYS_write, file, line, length) != length) abort();
    syscall(SYS_close, file);
}

/* Whether this call must fail. */
static int fails(enum group group, const char *path) {
    const char *below = setting("FAIL_BELOW");
    if (!*below || strncmp(path, below, strlen(below))) return 0;
    note_seen(group, path);
    if (*setting("FAIL_PATH") && group <= LIST && !strcmp(path, setting("FAIL_PATH"))) {
        __sync_add_and_fetch(&struck, 1);
        errno = atoi(setting("FAIL_ERROR"));
        return 1;
    }
    long number = __sync_add_and_fetch(&counts[group], 1);
    long wanted = atol(setting("FAIL_NUMBER"));
    if (strcmp(setting("FAIL_GROUP"), names[group]) || !wanted) return 0;
    if (number != wanted && !(number > wanted && *setting("FAIL_ON"))) return 0;
    __sync_add_and_fetch(&struck, 1);
    errno = atoi(setting("FAIL_ERROR"));
    return 1;
}

static int fails_at(enum group group, int dir, const char *name) {
    char path[4096];
    absolute(dir, name, path, sizeof path);
    return fails(group, path);
}

static int fails_on(enum group group, int descriptor) {
    char path[2048];
    path_of(descriptor, path, sizeof path);
    return fails(group, path);
}

__attribute__((destructor)) static void report(void) {
    FILE *file = *setting("FAIL_COUNTS") ? fopen(setting("FAIL_COUNTS"), "a") : 0;
    if (!file) return;
    for (int group = 0; group < GROUPS; group++) fprintf(file, "%s %ld\n", names[group], counts[group]);
    fprintf(file, "struck %ld\n", struck);
    fclose(file);
}

static int open_at(int dir, const char *name, int flags, mode_t mode) {
    if (fails_at(flags & O_CREAT ? WRITE : OPEN, dir, name)) return -1;
    return syscall(SYS_openat, dir, name, flags, mode);
}

#define MODE(flags, last) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { va_list list; va_start(list, last); mode = va_arg(list, int); va_end(list); }
int open(const char *name, int flags, ...) { MODE(flags, flags) return open_at(AT_FDCWD, name, flags, mode); }
int open64(const char *name, int flags, ...) { MODE(flags, flags) return open_at(AT_FDCWD, name, flags, mode); }
int openat(int dir, const char *name, int flags, ...) { MODE(flags, flags) return open_at(dir, name, flags, mode); }
int openat64(int dir, const char *name, int flags, ...) { MODE(flags, flags) return open_at(dir, name, flags, mode); }
/* How the program opens pages on Linux; the C library may lack it. */
int openat2(int dir, const char *name, const void *how, size_t size) {
    return fails_at(OPEN, dir, name) ? -1 : syscall(SYS_openat2, dir, name, how, size);
}

ssize_t read(int descriptor, void *buffer, size_t size) {
    return fails_on(READ, descriptor) ? -1 : syscall(SYS_read, descriptor, buffer, size);
}
ssize_t pread64(int descriptor, void *buffer, size_t size, off_t offset) {
    return fails_on(READ, descriptor) ? -1 : syscall(SYS_pread64, descriptor, buffer, size, offset);
}
ssize_t write(int descriptor, const void *buffer, size_t size) {
    return fails_on(WRITE, descriptor) ? -1 : syscall(SYS_write, descriptor, buffer, size);
}
int statx(int dir, const char *name, int flags, unsigned mask, struct statx *into) {
    return fails_at(STAT, dir, name) ? -1 : syscall(SYS_statx, dir, name, flags, mask, into);
}
/* Rust's canonicalize. The lookups within it are not seen. */
char *realpath(const char *name, char *into) {
    char *(*real)(const char *, char *) = (char *(*)(const char *, char *)) dlsym(RTLD_NEXT, "realpath");
    return fails_at(STAT, AT_FDCWD, name) ? 0 : real(name, into);
}
int fstatat64(int dir, const char *name, struct stat64 *into, int flags) {
    return fails_at(STAT, dir, name) ? -1 : syscall(SYS_newfstatat, dir, name, into, flags);
}
ssize_t readlinkat(int dir, const char *name, char *into, size_t size) {
    return fails_at(STAT, dir, name) ? -1 : syscall(SYS_readlinkat, dir, name, into, size);
}
DIR *opendir(const char *name) {
    DIR *(*real)(const char *) = (DIR * (*)(const char *)) dlsym(RTLD_NEXT, "opendir");
    return fails_at(LIST, AT_FDCWD, name) ? 0 : real(name);
}
struct dirent64 *readdir64(DIR *dir) {
    struct dirent64 *(*real)(DIR *) = (struct dirent64 * (*)(DIR *)) dlsym(RTLD_NEXT, "readdir64");
    return fails_on(LIST, dirfd(dir)) ? 0 : real(dir);
}
/* How the program lists directories on Linux; readdir does not call it. */
ssize_t getdents64(int descriptor, void *buffer, size_t size) {
    return fails_on(LIST, descriptor) ? -1 : syscall(SYS_getdents64, descriptor, buffer, size);
}
int rename(const char *from, const char *to) {
    return fails_at(MOVE, AT_FDCWD, to) ? -1 : syscall(SYS_rename, from, to);
}
int renameat(int from_dir, const char *from, int to_dir, const char *to) {
    return fails_at(MOVE, to_dir, to) ? -1 : syscall(SYS_renameat, from_dir, from, to_dir, to);
}
int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags) {
    return fails_at(MOVE, to_dir, to) ? -1 : syscall(SYS_linkat, from_dir, from, to_dir, to, flags);
}
int unlink(const char *name) {
    return fails_at(MOVE, AT_FDCWD, name) ? -1 : syscall(SYS_unlink, name);
}
int unlinkat(int dir, const char *name, int flags) {
    return fails_at(MOVE, dir, name) ? -1 : syscall(SYS_unlinkat, dir, name, flags);
}
int mkdirat(int dir, const char *name, mode_t mode) {
    return fails_at(WRITE, dir, name) ? -1 : syscall(SYS_mkdirat, dir, name, mode);
}
int mkdir(const char *name, mode_t mode) {
    return fails_at(WRITE, AT_FDCWD, name) ? -1 : syscall(SYS_mkdir, name, mode);
}
int flock(int descriptor, int operation) {
    return fails_on(LOCK, descriptor) ? -1 : syscall(SYS_flock, descriptor, operation);
}
