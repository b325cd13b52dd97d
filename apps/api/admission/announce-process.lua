-- Notes that an API process is there, and counts those that are.
-- KEYS[1] API processes: a sorted set of their ids by the time at which they last announced themselves, in ms
-- ARGV[1] id of the process, ARGV[2] how long it counts after that, in ms
-- Returns the number of API processes
local clock = redis.call("TIME")
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call("ZADD", KEYS[1], now, ARGV[1])
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", now - ARGV[2])
-- This one was announced last, so it is the last to be removed.
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return redis.call("ZCARD", KEYS[1])
