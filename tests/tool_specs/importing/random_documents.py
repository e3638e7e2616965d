"""OpenAPI documents made at random, much of them right and some of it wrong, all from one seed."""

from random import Random
from typing import Any

WORDS = ["id", "name", "petId", "filter[x]", "$top", "", "x" * 70, "ключ", "body", "a/b", "~", "example", "properties", "$ref"]
NAMES = ["A", "B", "C", "D", "E"]
JUNK: list[Any] = [
    None,
    True,
    0,
    -1,
    2.5,
    "",
    "text",
    [],
    {},
    [1, "a", None],
    {"a": {"b": []}},
    {"$ref": "#/components/schemas/A"},
    ["x"] * 9,
]
MEDIA = ["application/json", "application/json", "text/plain", "multipart/form-data", "application/hal+json", "*/*", "image/png"]


class Maker:
    """Makes parts of a document; `wrong` is the chance that a part is junk."""

    def __init__(self, seed: int, wrong: float) -> None:
        self.random = Random(seed)
        self.wrong = wrong

    def document(self) -> dict[str, Any]:
        version: dict[str, Any] = self.random.choice([{"openapi": "3.0.1"}, {"openapi": "3.1.0"}, {"swagger": "2.0"}])
        schemas = {name: self.schema(3) for name in NAMES}
        paths = ["/pets", "/pets/{id}", "/pets/{id}/toys", "/", "x-a", "", "/{a}/{b}"]
        return {
            **version,
            "info": self.either({"title": self.junk(), "version": "1", "description": "d"}),
            "tags": self.junk(),
            "paths": {path: self.either(self.item()) for path in self.random.sample(paths, 4)},
            "definitions": schemas,
            "components": {"schemas": schemas, "securitySchemes": self.junk(), "parameters": {"P": self.parameter()}},
        }

    def item(self) -> dict[str, Any]:
        methods = self.random.sample(["get", "post", "put", "delete", "patch", "summary"], 3)
        return {"parameters": self.parameters(), **{method: self.either(self.operation()) for method in methods}}

    def operation(self) -> dict[str, Any]:
        return self.some(
            operationId=self.random.choice(WORDS),
            summary="s",
            description="d",
            deprecated=self.junk(),
            parameters=self.parameters(),
            requestBody={"required": self.either(True), "content": self.content()},
            responses={
                code: {"content": self.content(), "schema": self.schema(2), "examples": self.junk()}
                for code in self.random.sample(["200", "201", "2XX", "default", "404"], 2)
            },
        )

    def parameters(self) -> Any:
        return self.either([self.either(self.parameter()) for _ in range(self.random.randrange(4))])

    def parameter(self) -> dict[str, Any]:
        place = self.random.choice(["path", "query", "header", "cookie", "body", "formData"])
        more = self.some(required=True, schema=self.schema(2), type="string", content=self.content(), example=self.junk(), description="d")
        return {"name": self.either(self.random.choice(WORDS)), "in": self.either(place), **more}

    def content(self) -> Any:
        media = {"schema": self.schema(3), **self.some(example=self.junk(), examples={"e": {"value": self.junk()}})}
        return self.either({self.random.choice(MEDIA): self.either(media) for _ in range(2)})

    def schema(self, depth: int) -> Any:
        if self.random.random() < self.wrong:
            return self.junk()
        kind = self.random.randrange(3 if depth <= 0 else 8)
        if kind == 0:
            return self.reference()
        more = self.some(
            0.15,
            nullable=True,
            readOnly=True,
            writeOnly=True,
            example=self.junk(),
            examples=self.junk(),
            default=self.junk(),
            description="d",
            enum=[self.junk(), "a"],
            minimum=1,
            exclusiveMinimum=self.random.choice([True, False, 3]),
            discriminator=self.junk(),
            pattern=self.random.choice(["^a", "(", "(?=x)"]),
            required=self.random.sample(WORDS, 2),
        )
        if kind < 3:
            return {"type": self.either(self.random.choice(["string", "integer", "boolean", "file", "any", "Number", "null"])), **more}
        if kind < 5:
            names = self.random.sample(WORDS, self.random.randrange(4))
            extra = self.some(0.3, additionalProperties=self.random.choice([True, False, self.schema(depth - 1)]))
            return {"type": "object", "properties": self.either({name: self.schema(depth - 1) for name in names}), **extra, **more}
        if kind == 5:
            return {"type": "array", "items": self.schema(depth - 1), **more}
        combined = self.random.choice(["allOf", "allOf", "anyOf", "oneOf"])
        return {combined: [self.schema(depth - 1) for _ in range(self.random.randrange(1, 3))], **more}

    def reference(self) -> dict[str, Any]:
        tail = self.random.choice(["", "", "", "", "/properties/id", "/allOf/0", "/nothing", "/items", "/example"])
        odd = self.random.choice(["#", "#A", "", "#/components/parameters/P"]) if self.random.random() < self.wrong else None
        return {
            "$ref": f"#/{self.random.choice(['components/schemas', 'definitions'])}/{self.random.choice(NAMES)}{tail}"
            if odd is None
            else odd
        }

    def some(self, chance: float = 0.6, **parts: Any) -> dict[str, Any]:
        return {key: self.either(value) for key, value in parts.items() if self.random.random() < chance}

    def either(self, right: Any) -> Any:
        return self.junk() if self.random.random() < self.wrong else right

    def junk(self) -> Any:
        return self.random.choice(JUNK)
