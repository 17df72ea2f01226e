"""The public interface of the assistant, for the page, the command line, Python and servers; they use nothing else.

Each module offers one concern, and imports only what it offers. Every method of `Workspace`, `Session` and their parts
states who may call it:

Anyone: whoever uses the workspace; who signed in has only their own sessions and boards before them. The owner: whoever
began the session or the board. An administrator: whoever runs the server, or is its only person. The program: no
person; what opens, follows and closes sessions, or narrows a workspace to a person. Whoever has the link: anybody,
signed in or not.
"""
