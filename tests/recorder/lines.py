"""A short recording that is in order, line by line, for tests to spoil."""

BEGAN = (
    '{"seq":0,"type":"recording_began","format":"razbor/1","game":"bura","rules":{"preset":"bura/classic-36@1",'
    '"options":{"molodka_turn":"in_turn"}},"seats":["Анна","Борис"]}'
)
STAKE = '{"seq":1,"type":"stake_set","amount":10}'
HAND = '{"seq":2,"type":"hand_began","hand":1,"dealer":2}'
DEALT = '{"seq":3,"type":"dealt","seat":1,"cards":["Th","Kh","6c"]}'
PLAYED = '{"seq":4,"type":"played","seat":1,"cards":["Th","Kh"],"face":"up"}'
GOOD = [BEGAN, STAKE, HAND, DEALT, PLAYED]
HEADER = BEGAN.encode()
STAKE_OBJECT = {"type": "stake_set", "amount": 10}
HAND_OBJECT = {"type": "hand_began", "hand": 1, "dealer": 2}
