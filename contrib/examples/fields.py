# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes docs/report.md, the tables of the report's fields, from the report's JSON Schema (contrib/examples/update). As a program, it
reads the schema from standard input and prints the page."""
import json
import re
import sys
import textwrap

HEAD = """# The report, field by field

{description}

`make update-examples` makes these tables from the schema that `stint report --schema` prints, and a test says if they are old. The
lists in `reports/model/report_fields.h` have the sentences.

With a dot before it, a path is a filter of jq: `stint report --json 1 | jq '.tools[].cpu_s'`. *Always*: the field is in every such
object.
"""
SCALARS = {"integer": "whole number", "number": "number", "string": "text", "boolean": "true or false", "null": "null"}
PLURALS = {"whole number": "whole numbers", "number": "numbers", "text": "texts"}
# The end of a name is its unit.
UNITS = (("_core_hours", "core-hours"), ("_gib_hours", "GiB-hours"), ("_bytes", "bytes"), ("_ns", "ns"), ("_s", "s"), ("_j", "J"))


def wrapped(text):
    return textwrap.fill(text, 132, break_long_words=False, break_on_hyphens=False)


class Page:
    def __init__(self, schema):
        self.schema = schema
        self.sections = []  # names of definitions, as they are met first
        self.places = {}  # of each of them: the paths at which it is
        self.find(schema, "")

    def definition(self, rule):
        """The name of the object or group that @rule refers to; None: it refers to none, or to a type."""
        name = rule.get("$ref", "").split("/")[-1]
        return name if name and self.schema["$defs"][name].get("type") == "object" else None

    def find(self, rule, path):
        """Finds the places of all definitions in @rule, which is at @path."""
        inside = [(group, path) for group in rule.get("allOf", ())]
        inside += [(of.get("items", of), self.join(path, name, of)) for name, of in rule["properties"].items()]
        for of, inner in inside:
            name = self.definition(of)
            if name is None:
                continue
            if name not in self.places:
                self.sections.append(name)
            self.places.setdefault(name, []).append(inner)
            self.find(self.schema["$defs"][name], inner)

    @staticmethod
    def join(path, name, rule):
        return f"{path}.{name}".lstrip(".") + ("[]" if rule.get("type") == "array" else "")

    def is_group(self, name):
        return any({"$ref": f"#/$defs/{name}"} in rule.get("allOf", ()) for rule in self.schema["$defs"].values())

    def title(self, name):
        return name if self.is_group(name) else f"`{self.places[name][0]}`"

    def link(self, name, text):
        return f"[{text}](#{re.sub(r'[^a-z0-9_ -]', '', self.title(name).lower())})"

    def type_of(self, rule):
        name = self.definition(rule)
        if name:
            return self.link(name, "object")
        if rule.get("$ref") == "#/$defs/time":
            return "time"
        if "$ref" in rule:
            rule = {**self.schema["$defs"][rule["$ref"].split("/")[-1]], **rule}
        words = rule.get("enum", [rule["const"]] if "const" in rule else ())
        if words:
            return ", ".join(f"`{json.dumps(word) if word is True else word}`" for word in words)
        if rule["type"] == "array":
            name = self.definition(rule["items"])
            return self.link(name, "list of objects") if name else "list of " + self.items_of(rule["items"])
        if rule["type"] == "object":
            return "object of " + self.items_of(rule["additionalProperties"])
        types = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
        return " or ".join(SCALARS[one] for one in types) + self.bounds_of(rule)

    def items_of(self, rule):
        first, *others = self.type_of(rule).split(" or ")
        return " or ".join([PLURALS[first], *others])

    @staticmethod
    def bounds_of(rule):
        if "maximum" in rule:
            return f", {rule['minimum']} to {rule['maximum']}"
        return f", {rule['minimum']} or more" if rule.get("minimum") else ""

    def meaning_of(self, rule):
        name = self.definition(rule.get("items", rule))
        return rule.get("description") or self.schema["$defs"][name]["description"]

    def table(self, rule, path):
        yield "| path | type | unit | always | meaning |"
        yield "|---|---|---|---|---|"
        for group in rule.get("allOf", ()):
            name = self.definition(group)
            yield f"| `{path}` | the fields of {self.link(name, name)} | | | {self.meaning_of(group)} |"
        for name, of in rule["properties"].items():
            kind = self.type_of(of)
            unit = next((unit for end, unit in UNITS if name.endswith(end) and "number" in kind), "")
            always = "yes" if name in rule.get("required", ()) else ""
            meaning = self.meaning_of(of).replace("|", "\\|")
            yield f"| `{self.join(path, name, of)}` | {kind} | {unit} | {always} | {meaning} |".replace("|  |", "| |").replace("|  |", "| |")

    def section(self, name):
        first, *others = dict.fromkeys(self.places[name])
        yield f"\n## {self.title(name)}\n"
        places = " The same fields are at " + ", ".join(f"`{place}`" for place in others) + "." if others else ""
        yield wrapped(self.schema["$defs"][name]["description"] + places) + "\n"
        yield from self.table(self.schema["$defs"][name], first)

    def lines(self):
        yield HEAD.format(description=wrapped(self.schema["description"]))
        yield from self.table(self.schema, "")
        for name in self.sections:
            yield from self.section(name)


def page(schema):
    return "\n".join(Page(schema).lines()) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page(json.load(sys.stdin)))
