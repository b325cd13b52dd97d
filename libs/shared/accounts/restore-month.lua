-- Continues a month from the count kept in Elasticsearch, if Redis has lost it. Redis has not lost it when it knows of that reading.
-- KEYS[1] requests of the month, as in admit.lua; `noted` is the number of the last reading
-- ARGV[1] end of the kept month (s), ARGV[2] its requests, ARGV[3] the number of the reading, ARGV[4] its requests of the own pool
-- Returns 1 when the count was restored, else 0.
local month = redis.call("HMGET", KEYS[1], "ends", "used", "noted", "own")
local ends, used, noted, own = month[1], tonumber(month[2]) or 0, tonumber(month[3]) or 0, tonumber(month[4]) or 0
if noted >= tonumber(ARGV[3]) then return 0 end
local now = tonumber(redis.call("TIME")[1])
local running = now < tonumber(ARGV[1])
if not running and not ends then return 0 end
redis.call("HSET", KEYS[1], "noted", ARGV[3])
if not running or (ends and ends ~= ARGV[1]) then return 0 end
-- A month without any reading began with nothing, so what was counted since comes on top.
local function continued(since, kept) return noted == 0 and since + tonumber(kept) or math.max(since, tonumber(kept)) end
redis.call("HSET", KEYS[1], "ends", ARGV[1], "used", continued(used, ARGV[2]), "own", continued(own, ARGV[4]))
redis.call("EXPIREAT", KEYS[1], ARGV[1] + 86400)
return 1
