"""Events, the fold of a turn from them, the flow over it, approval, and values that layers share. Pure: no I/O."""
