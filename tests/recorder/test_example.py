"""The example of the format's page (`record.md` 5) is read and judged as its words say."""

from replay import desk

EXAMPLE = """\
{"seq":0,"type":"recording_began","format":"razbor/1","game":"bura","rules":{"preset":"bura/classic-36@1",\
"options":{"molodka_turn":"out_of_turn"}},"seats":["Анна","Борис"],"stacks":[100,100]}
{"seq":1,"type":"stake_set","amount":10}
{"seq":2,"type":"hand_began","hand":1,"dealer":2}
{"seq":3,"type":"staked","seat":1,"amount":10,"why":"ante"}
{"seq":4,"type":"staked","seat":2,"amount":10,"why":"ante"}
{"seq":5,"type":"dealt","seat":1,"cards":["Th","Kh","6c"]}
{"seq":6,"type":"dealt","seat":2,"cards":["Ad","9d","7c"]}
{"seq":7,"type":"trump_turned","card":"6d"}
{"seq":8,"type":"played","seat":1,"cards":["Th","Kh"],"face":"up"}
{"seq":9,"type":"played","seat":2,"cards":["Ad","9d"],"face":"up"}
{"seq":10,"type":"trick_taken","seat":2,"points":25}
{"seq":11,"type":"drew","seat":2,"cards":["As","8s"]}
{"seq":12,"type":"drew","seat":1,"cards":["??","??"]}
"""


def test_the_example_of_the_page_has_no_breach_and_breaks_off() -> None:
    report = desk.verify(EXAMPLE.encode())
    assert report["verdict"] == "undecided"
    assert not [finding for finding in report["findings"] if finding["severity"] == "error"]
    assert report["hands"][0]["seats"]["2"]["points"] == {"low": 25, "high": 25}
