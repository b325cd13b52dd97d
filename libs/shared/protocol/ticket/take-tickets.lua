-- Takes consecutive numbers from the one clock of tickets and record versions. It follows the code of identity.lua.
-- KEYS[1] the last number given
-- ARGV[1] the ceiling: no number above it may be given; ARGV[2] how many; ARGV[3] the identity of Redis that the caller has examined,
--   or ''; ARGV[4] a number that is known to be given
-- Returns {first, last} of the numbers given, or {-1, 0, identity} when the clock is missing, {-2, last} when they would pass the
-- ceiling, or {-3, last number given, identity} when Redis is another one than examined, or its clock went back.
local given = redis.call("GET", KEYS[1])
if not given then return { -1, 0, identity } end
if identity ~= ARGV[3] or tonumber(given) < tonumber(ARGV[4]) then return { -3, tonumber(given), identity } end
local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local first = math.max(tonumber(given) + 1, now)
local last = first + tonumber(ARGV[2]) - 1
if last > tonumber(ARGV[1]) then return { -2, last } end
redis.call("SET", KEYS[1], string.format("%.0f", last))
return { first, last }
