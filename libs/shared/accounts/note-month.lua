-- Reads the requests of a month for keeping them in Elasticsearch, and numbers the reading.
-- KEYS[1] requests of the month, as in admit.lua; `noted` is the number of the last reading
-- Returns {ends, used, noted, own}, or nothing when there is no month.
local month = redis.call("HMGET", KEYS[1], "ends", "used", "own")
if not month[1] then return {} end
return { month[1], month[2], redis.call("HINCRBY", KEYS[1], "noted", 1), month[3] or "0" }
