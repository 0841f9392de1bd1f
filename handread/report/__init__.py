"""What a person reads: terminal text, and the JSON object of the contract."""
