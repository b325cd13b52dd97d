-- Ends a turn, unless it has passed to somebody else meanwhile.
-- KEYS[1] who has the turn
-- ARGV[1] who ends it
if redis.call("GET", KEYS[1]) == ARGV[1] then redis.call("DEL", KEYS[1]) end
return 1
