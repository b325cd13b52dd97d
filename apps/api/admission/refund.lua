-- Takes a request out of the windows that it was counted in, unless it has left them since.
-- KEYS[1] burst, KEYS[2] month, as in admit.lua
-- ARGV[1] second it was counted in, ARGV[2] requests to take from it; ARGV[3] end of its month, ARGV[4] requests to take from it
if ARGV[2] ~= "0" and redis.call("HEXISTS", KEYS[1], ARGV[1]) == 1 then
  redis.call("HINCRBY", KEYS[1], ARGV[1], -ARGV[2])
  redis.call("HINCRBY", KEYS[1], "total", -ARGV[2])
end
if ARGV[4] ~= "0" and redis.call("HGET", KEYS[2], "ends") == ARGV[3] then
  -- A Redis that lost the month has got it back without this request: it is not given back twice.
  local used = tonumber(redis.call("HGET", KEYS[2], "used") or "0")
  redis.call("HINCRBY", KEYS[2], "used", -math.min(tonumber(ARGV[4]), used))
end
