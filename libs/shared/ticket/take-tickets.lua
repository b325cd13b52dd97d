-- Takes consecutive numbers from the one clock of tickets and record versions.
-- KEYS[1] the last number given
-- ARGV[1] the ceiling: no number above it may be given; ARGV[2] how many
-- Returns {first, redis time in ms}, or {-1} when the clock is missing, or {-2} when the ceiling is too low.
local last = redis.call("GET", KEYS[1])
if not last then return { -1, 0 } end
local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local first = math.max(tonumber(last) + 1, now)
local newest = first + tonumber(ARGV[2]) - 1
if newest > tonumber(ARGV[1]) then return { -2, 0 } end
redis.call("SET", KEYS[1], string.format("%.0f", newest))
return { first, math.floor(now / 1000) }
