"""Names into objects: opens and closes what must be opened and closed.

For: building a simulator from what the doors were told.
Looks at: everything below.
Touches: nothing itself; it makes the objects that do.
"""
