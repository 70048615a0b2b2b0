from routing.scoring import names
from routing.scoring.names import Names, id_hashes


def test_the_second_of_an_id_is_known_as_second_even_after_merging(monkeypatch: object) -> None:
    monkeypatch.setattr(names, "_MERGE", 2)
    seen = Names()
    assert seen.add(id_hashes(["a", "b", "a"])) == [1, 1, 2]
    assert seen.add(id_hashes(["c", "d", "e"])) == [1, 1, 1]
    assert seen.add(id_hashes(["e", "a", "b", "f", "e"])) == [2, 3, 2, 1, 3]


def test_hashes_are_the_same_in_every_process() -> None:
    assert id_hashes(["abc"]).tolist() == [6455300059550759896]
    assert len(id_hashes([])) == 0
