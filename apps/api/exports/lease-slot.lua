-- Leases a slot of an account, or renews the lease.
-- KEYS[1] slots in use: a sorted set of their ids by the time at which the lease ends, in ms
-- ARGV[1] id of the slot, ARGV[2] how long it is leased, in ms
-- ARGV[3] slots of an account; '' renews a lease, which is never refused
-- Returns 1 if it is leased, else 0
local clock = redis.call("TIME")
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", now)
if ARGV[3] ~= "" and redis.call("ZCARD", KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call("ZADD", KEYS[1], now + ARGV[2], ARGV[1])
-- All leases are as long, so this one ends last.
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return 1
