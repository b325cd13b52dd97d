-- Renews the lease of an advance, or ends the advance. What was given back because its lease had ended is charged again first.
-- KEYS[1] month, as in admit.lua
-- KEYS[2] advances {id: when the lease ends (ms), end of the month it counts in (s), requests that are given back when the lease ends,
--   requests that were given back because it had ended}
-- ARGV[1] id; ARGV[2] requests to give back when the lease ends; '' ends the advance; ARGV[3] requests to give back now; ARGV[4] lease, in ms
-- Returns 1, or 0 when there is no such advance: it has ended, or Redis has lost it
local advance = redis.call("HGET", KEYS[2], ARGV[1])
if not advance then return 0 end
local ends, given = string.match(advance, "^%d+ (%d+) %d+ (%d+)$")
local month = redis.call("HMGET", KEYS[1], "ends", "used")
local change = tonumber(given) - tonumber(ARGV[3])
if change ~= 0 and month[1] == ends then
  redis.call("HSET", KEYS[1], "used", math.max(0, tonumber(month[2]) + change))
end
if ARGV[2] == "" then
  redis.call("HDEL", KEYS[2], ARGV[1])
else
  local clock = redis.call("TIME")
  local lapses = clock[1] * 1000 + math.floor(clock[2] / 1000) + ARGV[4]
  redis.call("HSET", KEYS[2], ARGV[1], string.format("%d %d %d 0", lapses, ends, ARGV[2]))
end
return 1
