"""Finding short texts by the words of a request."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys

import pytest

from afford.ranking import Document, Index, stem, words_of


def index(**texts: str) -> Index:
    """Documents with one field each."""
    return Index([Document(name, (text,)) for name, text in texts.items()], (1.0,))


def test_the_document_with_more_of_the_words_comes_first():
    found = index(a="cancel a booking", b="cancel an event", c="list bookings").search("cancel my booking", 5)
    assert found[0] == "a"
    assert set(found) == {"a", "b", "c"}


def test_a_rare_word_decides_over_a_frequent_one():
    texts = {f"room_{number}": "book a room" for number in range(9)}
    assert index(**texts, sauna="reserve the sauna").search("book sauna", 3)[0] == "sauna"


def test_nothing_in_common_finds_nothing():
    assert index(a="cancel a booking").search("weather", 5) == []
    assert index().search("weather", 5) == []
    assert index(a="").search("", 5) == []


def test_a_field_with_more_weight_decides():
    documents = [Document("a", ("invoice", "")), Document("b", ("", "invoice"))]
    assert Index(documents, (2.0, 1.0)).search("invoice", 2) == ["a", "b"]
    assert Index(documents, (1.0, 2.0)).search("invoice", 2) == ["b", "a"]


def test_a_word_counts_more_in_a_short_text():
    assert index(a="invoice paid by a customer in cash on a rainy day", b="invoice paid").search("invoice", 2)[0] == "b"


def test_equal_scores_are_ordered_by_name_whatever_order_documents_come_in():
    documents = [Document(name, ("read a lamp",)) for name in ("c", "a", "d", "b")]
    for order in itertools.permutations(documents):
        assert Index(order, (1.0,)).search("lamp", 3) == ["a", "b", "c"]


def test_the_order_is_the_same_in_every_process():
    program = (
        "import random\n"
        "from afford.ranking import Document, Index\n"
        "chance = random.Random(7)\n"
        "words = [f'word{number}' for number in range(50)]\n"
        "texts = [' '.join(chance.choices(words, k=12)) for _ in range(200)]\n"
        "index = Index([Document(f'd{number}', (text,)) for number, text in enumerate(texts)], (1.0,))\n"
        "print(index.search(' '.join(words[:20]), 50))\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("search_open_issues", ["search", "open", "issues"]),
        ("searchOpenIssues", ["search", "open", "issues"]),
        ("HTTPServer2Go", ["http", "server2", "go"]),
        ("widget:internal-Debug", ["widget", "internal", "debug"]),
        ("Café Zürich", ["cafe", "zurich"]),
        ("Straße", ["strasse"]),
        ("don't, isn\u2019t, we're", ["do", "is", "we"]),
        ("поиск_отелей", ["поиск", "отелеи"]),
        ("किताब खोजें", ["किताब", "खोजें"]),
        ("予約取消", ["予約", "約取", "取消"]),
        ("宿", ["宿"]),
        ("№ 12 — …", ["no", "12"]),
    ],
)
def test_names_and_texts_of_any_script_are_words_without_case_and_accents(text: str, words: list[str]):
    assert words_of(text) == words


def test_a_request_without_accents_finds_a_text_with_them():
    assert index(a="Réserver une chambre à l\u2019hôtel").search("reserver hotel", 1) == ["a"]


@pytest.mark.parametrize(
    "family",
    [
        ("invoice", "invoices", "invoiced", "invoicing"),
        ("cancel", "cancels", "cancelled", "cancelling"),
        ("ship", "ships", "shipped", "shipping"),
        ("query", "queries", "queried", "querying"),
        ("batch", "batches", "batched"),
        ("bill", "bills", "billed", "billing"),
        ("process", "processes", "processed"),
    ],
)
def test_plurals_and_verb_forms_are_one_word(family: tuple[str, ...]):
    assert len({stem(word) for word in family}) == 1


@pytest.mark.parametrize(
    "pair", [("status", "state"), ("address", "add"), ("string", "str"), ("bus", "bu"), ("red", "r")]
)
def test_words_that_only_look_inflected_stay_apart(pair: tuple[str, str]):
    assert stem(pair[0]) != stem(pair[1])


@pytest.mark.parametrize("misspelt", ["resrvation", "reservattion", "reservatoin", "reservetion"])
def test_one_slip_in_a_long_word_is_forgiven(misspelt: str):
    assert index(a="make a reservation", b="list rooms").search(misspelt, 2) == ["a"]


@pytest.mark.parametrize("other", ["rezervacion", "roms", "xreservation", "2026"])
def test_two_slips_a_short_word_another_initial_or_a_number_are_not(other: str):
    assert index(a="make a reservation in rooms of 2027").search(other, 2) == []


def test_a_word_that_exists_is_never_taken_for_another():
    assert index(a="issue a refund", b="refuse a parcel", c="list refunds").search("refuse", 3) == ["b"]


def test_words_that_everybody_says_do_not_decide_unless_there_are_no_others():
    found = index(a="what is it", who_am_i="who am i", b="list the invoices")
    assert found.search("what are the invoices", 5) == ["b"]
    assert found.search("who am I", 1) == ["who_am_i"]


def test_repeating_a_word_of_the_request_changes_nothing():
    found = index(a="cancel a booking", b="booking of a room", c="cancel")
    assert found.search("cancel cancel cancel booking", 3) == found.search("cancel booking", 3)


def test_at_most_as_many_as_asked_for_are_found():
    chance = random.Random(3)
    found = Index([Document(f"d{number}", (chance.choice(["lamp on", "lamp off"]),)) for number in range(40)], (1.0,))
    assert len(found.search("lamp", 7)) == 7
    assert found.search("lamp on", 7) == found.search("lamp on", 40)[:7]
