-- The least that limits callers: a counter of the current minute.
-- KEYS[1] the counter
-- Returns how many there were.
local count = redis.call("INCR", KEYS[1])
if count == 1 then redis.call("EXPIRE", KEYS[1], 60) end
return count
