"""The value of each action at the decisions of players whose cards are known."""
