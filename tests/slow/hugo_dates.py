#!/usr/bin/env python3
"""Writes tests/it/hugo_dates.tsv: the dates of real Hugo, by order of `frontmatter.lastmod` and front matter.

usage: hugo_dates.py [HUGO]
`git` is the date of the commit, `checkout` the time of the file, `none` no date. `tests/it/hugo_dates.rs` reads the table.
"""
import os, pathlib, re, subprocess, sys, tempfile

ORDERS = ['"lastmod", ":default"', '"modified", ":default"', '"reviewed", ":default"', '"lastmod", "publishDate", ":git"',
          '"lastmod", ":fileModTime", ":default"', '"updated_on", "lastmod", ":git"', '":git", "lastmod"', '"date", ":git"',
          '"lastmod"', '":filename", ":git"', '"publishDate", "Lastmod", ":default"', '":default"', '"pubdate", ":git", "date"',
          '"lastmod", "date", "publishDate"']
FRONT_MATTER = ['', 'date: 2020-03-03', 'lastmod: 2021-01-01', 'lastmod: 2021-01-01; date: 2020-02-02', 'modified: 2021-02-02; date: 2020-02-02',
                'publishDate: 2019-01-01', 'pubdate: 2019-02-02', 'published: 2019-03-03', 'updated_on: 2021-04-04; date: 2020-02-02',
                'params: {updated_on: 2021-05-05, lastmod: 2021-06-06}', 'Reviewed: 2021-07-07', 'lastmod: ""; date: 2020-02-02']
WHEN = '2024-05-05T00:00:00Z'


def build(hugo, root, order, is_committed):
    """The date of each page, by name, in Hugo's own sitemap."""
    (root / 'layouts').mkdir()
    (root / 'content').mkdir()
    settings = f'enableGitInfo = true\nbaseURL = "https://example.com/"\n[frontmatter]\nlastmod = [{order}]\n'
    (root / 'hugo.toml').write_text(settings)
    for name in ('single', 'list', 'home'):
        (root / f'layouts/{name}.html').write_text('<title>x</title>')
    env = dict(os.environ, GIT_COMMITTER_DATE=WHEN, GIT_AUTHOR_DATE=WHEN, GIT_CONFIG_GLOBAL='/dev/null')
    env |= {f'GIT_{who}_{what}': 'ada@example.com' for who in ('AUTHOR', 'COMMITTER') for what in ('NAME', 'EMAIL')}
    git = ['git', '-C', root]
    subprocess.run([*git, 'init', '-q'], env=env, check=True)
    if not is_committed:
        subprocess.run([*git, 'commit', '-q', '--allow-empty', '-m', 'x'], env=env, check=True)
    for index, text in enumerate(FRONT_MATTER):
        for name in (f'p{index}', f'2018-08-08-n{index}'):
            (root / f'content/{name}.md').write_text('---\n' + text.replace('; ', '\n') + '\n---\n')
    if is_committed:
        subprocess.run([*git, 'add', '-A'], env=env, check=True)
        subprocess.run([*git, 'commit', '-q', '-m', 'x'], env=env, check=True)
    subprocess.run([hugo, '--quiet'], cwd=root, check=True)
    found = {}
    for url in re.findall('<url>.*?</url>', (root / 'public/sitemap.xml').read_text(), re.S):
        name = re.search('<loc>.*/(.*)/</loc>', url)[1].removeprefix('2018-08-08-')
        date = re.search('<lastmod>(.*?)T.*</lastmod>', url)
        found[name] = date[1] if date else 'none'
    return found


def main():
    hugo = sys.argv[1] if len(sys.argv) > 1 else 'hugo'
    table = ['state\tdate in name\tfront matter\t' + '\t'.join(ORDERS)]
    for is_committed in (True, False):
        columns = []
        for order in ORDERS:
            with tempfile.TemporaryDirectory() as dir:
                columns.append(build(hugo, pathlib.Path(dir), order, is_committed))
        words = {WHEN[:10]: 'git', subprocess.check_output(['date', '-u', '+%F'], text=True).strip(): 'checkout'}
        for mark, dated in (('p', 'no'), ('n', 'yes')):
            for index, text in enumerate(FRONT_MATTER):
                dates = [column[f'{mark}{index}'] for column in columns]
                row = ['committed' if is_committed else 'untracked', dated, text, *(words.get(date, date) for date in dates)]
                table.append('\t'.join(row))
    pathlib.Path(__file__).parents[1].joinpath('it/hugo_dates.tsv').write_text('\n'.join(table) + '\n')


if __name__ == '__main__':
    main()
