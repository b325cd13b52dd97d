-- Takes requests out of the month that they were counted in, unless it has ended since.
-- KEYS[1] month, as in admit.lua
-- ARGV[1] end of their month, ARGV[2] number of requests, ARGV[3] the count that they are in: used, or own
if redis.call("HGET", KEYS[1], "ends") == ARGV[1] then
  -- A Redis that lost the month has got it back without these requests: they are not given back twice.
  local used = tonumber(redis.call("HGET", KEYS[1], ARGV[3]) or "0")
  redis.call("HSET", KEYS[1], ARGV[3], math.max(0, used - ARGV[2]))
end
