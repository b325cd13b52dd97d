-- Ends a lease, unless it has passed to another holder meanwhile.
-- KEYS[1] the lease; its value is the holder
-- ARGV[1] holder
if redis.call("GET", KEYS[1]) == ARGV[1] then redis.call("DEL", KEYS[1]) end
return 1
