-- Counts the requests that were admitted while Redis was away: in the burst as if all of them had come in this second, in the month
-- if that has not ended.
-- KEYS[1] burst, KEYS[2] month, as in admit.lua
-- ARGV[1] requests of the last 60 seconds; ARGV[2] end of the month, ARGV[3] its requests
local clock = redis.call("TIME")
local now = tonumber(clock[1])
if ARGV[1] ~= "0" then
  local time = now * 1000000 + tonumber(clock[2])
  local arrival = math.max(time, tonumber(redis.call("HGET", KEYS[1], "last")) or 0)
  local second = math.floor(arrival / 1000000)
  redis.call("HINCRBY", KEYS[1], second, ARGV[1])
  redis.call("HSET", KEYS[1], "last:" .. second, arrival, "last", arrival)
  -- Makes admit.lua add up the buckets again.
  redis.call("HDEL", KEYS[1], "falls")
  redis.call("EXPIRE", KEYS[1], 62)
end
local ends = redis.call("HGET", KEYS[2], "ends")
if ARGV[3] ~= "0" and (ends == ARGV[2] or (not ends and now < tonumber(ARGV[2]))) then
  redis.call("HSET", KEYS[2], "ends", ARGV[2])
  redis.call("HINCRBY", KEYS[2], "used", ARGV[3])
  if not ends then redis.call("EXPIRE", KEYS[2], ARGV[2] - now + 86400) end
end
