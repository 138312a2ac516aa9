"""The documents of this repository as a small site that the hub serves at /docs: one page each, without scripts.

Docs/contents.txt has its contents; cmark-gfm makes HTML of the documents. Links between them lead within the site,
those to other files of the repository become plain words. A link, an anchor or a picture that leads nowhere ends the
packing, and so does a document that stands in no group.
"""
import html
import pathlib
import posixpath
import re
import subprocess

ABOVE = {"readme": "README.md", "changelog": "CHANGELOG.md", "contributing": "CONTRIBUTING.md"}
GERMAN = {"mitglieder"}  # all others are English
# The words around a document: the site's name, its contents, the way back.
FRAME = {"en": ("Eightbells, explained", "Contents", "Hub"), "de": ("Eightbells, erklärt", "Inhalt", "Server")}
PAGE = """<!doctype html>
<html lang="{language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
  <meta name="color-scheme" content="light dark">
  <title>{title} · Eightbells</title>
  <link rel="stylesheet" href="/shell.css">
  <link rel="stylesheet" href="/docs/docs.css">
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
</head>
<body class="docs">
  <header><a href="/docs">{site}</a> <a href="#contents">{list}</a> <a href="/">{hub}</a></header>
  <main>{body}</main>
  <nav id="contents" lang="en" aria-label="Contents">{contents}</nav>
</body>
</html>
"""
DEVELOPERS = "For developers of apps"  # the group whose first document the front page leads to
INDEX = """<h1>Eightbells, explained</h1>
<p>How it is used, set up, built upon and changed. These pages belong to the version that this hub runs.</p>
<ul>
<li>You have been invited: <a href="/docs/members">for members, in short</a>; also
<a href="/docs/members#when-something-does-not-work">when something does not work</a>.</li>
<li>You want a hub, or have one: <a href="/docs/readme">what it is, and the first steps</a>,
<a href="/docs/install">installing</a>, <a href="/docs/evenings">evenings of an owner</a>.</li>
<li>You write programs: <a href="/docs/{programs}">an app of your own</a>,
<a href="/api/openapi.yaml">the description of the API</a>.</li>
</ul>
<div lang="de">
<h2>Auf Deutsch</h2>
<p>Du bist eingeladen: <a href="/docs/mitglieder">das Wichtigste für Mitglieder</a>, auch
<a href="/docs/mitglieder#wenn-etwas-nicht-geht">wenn etwas nicht geht</a>. Alles andere ist auf Englisch.</p>
</div>"""


def groups_of(text):
    """{group: names of documents}: a group's name is followed by a line for each, and an empty one."""
    lines = [line for line in text.split("\n") if not line.startswith("#")]
    return {group: names for group, *names in (
        block.split("\n") for block in "\n".join(lines).strip().split("\n\n"))}


def site(root):
    """The files of the site by their addresses."""
    groups = groups_of((root / "Docs/contents.txt").read_text())
    texts = {path.stem: path for path in sorted((root / "Docs").glob("*.md"))}
    texts |= {name: root / file for name, file in ABOVE.items()}
    names = [name for group in groups.values() for name in group]
    if sorted(names) != sorted(texts):
        raise SystemExit(f"Docs/contents.txt: {sorted(set(names) ^ set(texts))} must stand in one group")
    bodies = {name: with_anchors(rendered(path)) for name, path in texts.items()}
    titles = {name: re.search(r"<h1[^>]*>(.*?)</h1>", body, re.S).group(1) for name, body in bodies.items()}
    pictures, anchors = {}, {name: set(re.findall(r' id="([^"]+)"', body)) for name, body in bodies.items()}
    files = {}
    for name, body in bodies.items():
        body = with_links(body, texts[name].relative_to(root), root, anchors, pictures)
        language = "de" if name in GERMAN else "en"
        files[f"/docs/{name}"] = page(titles[name], body, contents(groups, titles, name), language)
    files["/docs"] = page("Explained", INDEX.format(programs=groups[DEVELOPERS][0]), contents(groups, titles, None))
    return files | pictures


def page(title, body, nav, language="en"):
    site, list_, hub = FRAME[language]
    return PAGE.format(language=language, site=site, list=list_, hub=hub, title=re.sub("<[^>]+>", "", title), body=body,
                       contents=nav).encode()


def contents(groups, titles, here):
    def line(name):
        current = ' aria-current="page"' if name == here else ""
        current += ' lang="de"' if name in GERMAN else ""
        return f'<li><a href="/docs/{name}"{current}>{re.sub("</?a[^>]*>", "", titles[name])}</a></li>'

    return "".join(
        f"<h2>{group}</h2><ul>{''.join(map(line, names))}</ul>" for group, names in groups.items())


def rendered(path):
    command = ["cmark-gfm", "--unsafe", "-e", "table", "-e", "strikethrough", path]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def with_anchors(body):
    """Headings with the anchors that links to them expect: as GitHub makes them."""
    seen = {}

    def named(match):
        words = html.unescape(re.sub("<[^>]+>", "", match[2])).lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        seen[slug] = seen.get(slug, -1) + 1
        number = f"-{seen[slug]}" if seen[slug] else ""
        return f'<h{match[1]} id="{slug}{number}">{match[2]}</h{match[1]}>'

    body = re.sub(r"<h([1-6])>(.*?)</h\1>", named, body, flags=re.S)
    body = re.sub(r"<code>(?=[^<]{33})", '<code class="long">', body)  # too long for one line of a table
    # A wide table scrolls by itself, also by the keyboard. The corner above the first column heads nothing.
    table = '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>'
    return body.replace("<th></th>", "<td></td>").replace("<table>", table).replace(
        "</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')


def with_links(body, path, root, anchors, pictures):
    """The links of a document, which stands at `path`, to other addresses of the site."""
    def place(target):
        return posixpath.normpath(posixpath.join(path.parent.as_posix(), target))

    def picture(match):
        found = place(match[1])
        address = f"/docs/{found.removeprefix('Docs/')}"
        pictures[address] = (root / found).read_bytes()
        return f'src="{address}"'

    def link(match):
        target, words = html.unescape(match[1]), match[2]
        if re.match(r"[a-z]+:", target):
            return match[0]
        file, _, anchor = target.partition("#")
        found = place(file) if file else path.as_posix()
        if found == "Docs/openapi.yaml":
            return f'<a href="/api/openapi.yaml">{words}</a>'
        name = {file: name for name, file in ABOVE.items()}.get(found) or pathlib.PurePath(found).stem
        if name not in anchors or found not in (f"Docs/{name}.md", ABOVE.get(name)):
            if not (root / found).exists():
                raise SystemExit(f"{path}: there is no {found}")
            return words
        if anchor and anchor not in anchors[name]:
            raise SystemExit(f"{path}: {found} has no heading #{anchor}")
        return f'<a href="/docs/{name}{f"#{anchor}" if anchor else ""}">{words}</a>'

    body = re.sub(r'src="([^":]+)"', picture, body)
    return re.sub(r'<a href="([^"]+)">(.*?)</a>', link, body, flags=re.S)
