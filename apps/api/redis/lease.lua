-- Takes a lease of a set, or renews it.
-- KEYS[1] leases: a sorted set of their ids by the time at which they end, in ms
-- ARGV[1] id, ARGV[2] how long it lasts, in ms; all leases of a set last as long
-- ARGV[3] how many leases the set may have; '' takes or renews one in any case
-- Returns the number of leases, this one included; 0 if it is refused
local clock = redis.call("TIME")
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", now)
if ARGV[3] ~= "" and redis.call("ZCARD", KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call("ZADD", KEYS[1], now + ARGV[2], ARGV[1])
-- This one ends last.
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return redis.call("ZCARD", KEYS[1])
