"""URI templates: which are taken, and that matching undoes expanding."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afford.declare.templates import UriTemplate

RESERVED = ":/?#[]@!$&'()*+,;="
VALUES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
NAMES = st.text(string.ascii_letters + string.digits + "_", min_size=1, max_size=4).filter(str.isidentifier)
LITERALS = st.text(st.sampled_from(RESERVED + "-._~%az09 é\\^|"), max_size=4)


@st.composite
def templates(draw: st.DrawFn) -> UriTemplate:
    """Templates whose variables are told apart by some character that has to be encoded in a value."""
    names = draw(st.lists(NAMES, unique=True, max_size=4))
    between = [
        draw(LITERALS) + draw(st.sampled_from(RESERVED + " é\\^|")) + draw(LITERALS) if position else draw(LITERALS)
        for position in range(len(names))
    ]
    text = "".join(f"{literal}{{{name}}}" for literal, name in zip(between, names, strict=True))
    return UriTemplate(text + (draw(LITERALS) if names else "plain"))


@pytest.mark.requirement("RES-03")
@given(st.data(), templates())
def test_what_is_expanded_is_matched_to_the_same_values(data: st.DataObject, template: UriTemplate) -> None:
    values = {name: data.draw(VALUES) for name in template.names}
    assert template.match(template.expand(values)) == values


@given(templates(), st.text(st.sampled_from(RESERVED + "%2Fé{}az-"), max_size=30))
def test_any_text_matches_or_does_not_and_never_with_an_empty_value(template: UriTemplate, uri: str) -> None:
    values = template.match(uri)
    assert values is None or (tuple(values) == template.names and all(values.values()))


@given(st.text(st.sampled_from("{}/ax:+"), max_size=12))
def test_a_text_is_a_template_or_a_value_error(text: str) -> None:
    try:
        template = UriTemplate(text)
    except ValueError:
        return
    assert template.expand(dict.fromkeys(template.names, "1")).count("1") == len(template.names)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("notes://all", ()),
        ("build status", ()),
        ("{id}", ("id",)),
        ("notes://{owner}/{title}/text", ("owner", "title")),
        ("log:{year}-:-{month}", ("year", "month")),
        ("session/{_id2}", ("_id2",)),
    ],
)
def test_names_are_in_order_of_appearance(text: str, names: tuple[str, ...]) -> None:
    template = UriTemplate(text)
    assert (template.text, template.names, template.is_plain) == (text, names, not names)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\nb",
        "a\u200bb",
        "a\ud800b",
        "notes://{a{b}}",
        "notes://{a",
        "notes://a}",
        "notes://}a{",
        "notes://{}",
        "notes://{a}/{a}",
        "notes://{+a}",
        "notes://{#a}",
        "notes://{.a}",
        "notes://{/a}",
        "notes://{;a}",
        "notes://{?a}",
        "notes://{&a}",
        "notes://{a,b}",
        "notes://{a*}",
        "notes://{a:3}",
        "notes://{a.b}",
        "notes://{a b}",
        "notes://{1a}",
        "notes://{é}",
        "notes://{a}{b}",
        "notes://{a}-{b}",
        "notes://{a}%20{b}",
    ],
)
def test_a_bad_template_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="is no URI template"):
        UriTemplate(text)


@pytest.mark.parametrize(
    ("uri", "values"),
    [
        ("notes://ann/first", {"owner": "ann", "title": "first"}),
        ("notes://a%2Fb/%C3%A9%20", {"owner": "a/b", "title": "é "}),
        ("notes://a@b.example/é:1+2", {"owner": "a@b.example", "title": "é:1+2"}),
        ("notes://%2541/x", {"owner": "%41", "title": "x"}),
        ("notes://ann/", None),
        ("notes:///first", None),
        ("notes://ann", None),
        ("notes://ann/first/second", None),
        ("notes://ann/first\n/", None),
        ("Notes://ann/first", None),
        ("notes%3A//ann/first", None),
        (" notes://ann/first", None),
        ("notes://ann/%", None),
        ("notes://ann/%4", None),
        ("notes://ann/%zz", None),
        ("notes://ann/%ff", None),
        ("notes://ann/%ED%A0%80", None),
    ],
)
def test_a_uri_fits_whole_with_decoded_values_or_not_at_all(uri: str, values: dict[str, str] | None) -> None:
    assert UriTemplate("notes://{owner}/{title}").match(uri) == values


def test_literal_text_is_not_a_pattern_and_is_not_decoded() -> None:
    assert UriTemplate("a.b*%2f{id}").match("a.b*%2f1") == {"id": "1"}
    assert UriTemplate("a.b*%2f{id}").match("a.b*%2F1") is None
    assert UriTemplate("a.b").match("axb") is None


def test_a_plain_template_matches_its_own_text_alone() -> None:
    assert UriTemplate("notes://all").match("notes://all") == {}
    assert UriTemplate("notes://all").match("notes://all/") is None
    assert UriTemplate("notes://all").expand({}) == "notes://all"


def test_all_but_unreserved_characters_are_encoded() -> None:
    unreserved = string.ascii_letters + string.digits + "-._~"
    assert UriTemplate("x:{id}").expand({"id": unreserved}) == f"x:{unreserved}"
    assert UriTemplate("x:{id}").expand({"id": "a/b é%"}) == "x:a%2Fb%20%C3%A9%25"


@pytest.mark.parametrize("values", [{}, {"id": "1", "other": "2"}, {"other": "1"}, {"id": 1}, {"id": None}])
def test_wrong_names_and_values_that_are_no_text_are_type_errors(values: dict[str, str]) -> None:
    with pytest.raises(TypeError):
        UriTemplate("x:{id}").expand(values)


@pytest.mark.parametrize("value", ["", "\ud800"])
def test_a_value_that_no_uri_can_say_is_a_value_error(value: str) -> None:
    with pytest.raises(ValueError, match="`id`"):
        UriTemplate("x:{id}").expand({"id": value})


def test_a_long_hostile_uri_is_refused_in_one_pass() -> None:
    assert UriTemplate("{a}:{b}:{c}:{d}/").match("x:" * 50_000) is None
    assert UriTemplate("{a}-:-{b}-:-{c}/").match("-:-" * 50_000) is None
    assert UriTemplate("{a}xx").match("x" * 100_000 + "/") is None


def test_templates_are_equal_by_their_text() -> None:
    assert UriTemplate("x:{id}") == UriTemplate("x:{id}")
    assert len({UriTemplate("x:{id}"), UriTemplate("x:{id}"), UriTemplate("x:{name}")}) == 2
