"""What does a browser read on a page? The forms with what they would send, and whatever in it could run."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlsplit

QUIET = {"script", "style", "template"}  # what stands in them is not shown


@dataclass
class Form:
    """A form: where it goes, what it holds, and the keys that can be pressed, with the text that nobody has changed."""

    action: str
    method: str
    values: list[tuple[str, str]] = field(default_factory=list)  # as they stand: sent whichever key is pressed
    choices: dict[str, list[str]] = field(default_factory=dict)  # every value that a field or key offers
    keys: list[tuple[str, str, str]] = field(default_factory=list)  # name, value, and another address or nothing

    def unchanged(self) -> dict[str, list[str]]:
        """Return what Save sends when nothing was touched."""
        sent: dict[str, list[str]] = {}
        for name, value in self.values:
            sent.setdefault(name, []).append(value)
        return sent


class PageReader(HTMLParser):
    """Reads a page: its forms, its words, and what is suspicious in it."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[Form] = []
        self.suspicious: list[str] = []
        self._by_id: dict[str, Form] = {}
        self._open: Form | None = None
        self._waiting: list[tuple[str, str, dict[str, str]]] = []  # controls that name their form, which may come later
        self._inside: list[str] = []
        self._said: list[str] = []
        self.feed(html)
        self.close()
        for tag, form_id, attributes in self._waiting:
            if form_id in self._by_id:
                self._control(self._by_id[form_id], tag, attributes)

    @property
    def words(self) -> str:
        """The words of the page."""
        return " ".join(" ".join(self._said).split())

    def form(self, path: str) -> Form:
        """Return the forms that go to this address, as one: more values and more keys to choose from."""
        found = [form for form in self.forms if form.method == "post" and urlsplit(form.action).path == path]
        if not found:
            raise AssertionError(f"No form goes to {path}")
        largest = max(found, key=lambda form: len(form.values))
        for form in found:
            if form is not largest:
                largest.keys += form.keys
                for name, choices in form.choices.items():
                    largest.choices.setdefault(name, []).extend(choices)
        return largest

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self._inside += [tag] if tag in QUIET else []
        self._watch(tag, attributes)
        if tag == "form":
            self._open = Form(attributes.get("action", ""), attributes.get("method", "get").lower())
            self.forms.append(self._open)
            if "id" in attributes:
                self._by_id[attributes["id"]] = self._open
        elif tag in {"input", "button", "textarea", "select"} and "disabled" not in attributes:
            if "form" in attributes:
                self._waiting.append((tag, attributes["form"], attributes))
            elif self._open is not None:
                self._control(self._open, tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif self._inside and tag == self._inside[-1]:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self._said.append(data)
        elif self._inside[-1] == "script" and data.strip():
            self.suspicious.append(f"a script that stands in the page: {data[:60]}")

    def _watch(self, tag: str, attributes: dict[str, str]) -> None:
        self.suspicious += [f"{tag} {name}={value}" for name, value in attributes.items() if name.startswith("on")]
        self.suspicious += [f"{tag} style" for name in attributes if name == "style"]
        for name in ("src", "href", "action", "formaction"):
            if attributes.get(name, "").strip().lower().startswith(("javascript:", "data:", "x")):
                self.suspicious.append(f"{tag} {name}={attributes[name]}")

    def _control(self, form: Form, tag: str, attributes: dict[str, str]) -> None:
        name, value, kind = attributes.get("name", ""), attributes.get("value", ""), attributes.get("type", "")
        if tag == "button":
            form.keys.append((name, value, attributes.get("formaction", "")))
        if not name:
            return
        form.choices.setdefault(name, []).append(value)
        if tag == "button" or (kind in {"radio", "checkbox"} and "checked" not in attributes):
            return
        form.values.append((name, value))
