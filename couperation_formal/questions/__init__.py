"""The questions: what is asked, the answer as data and as JSON, its certificates, and its blocks for people."""
