-- Raises the clock of tickets and record versions; never lowers it.
-- KEYS[1] the last number given; ARGV[1] the lowest number that it may have afterwards
-- Returns its number.
local given = tonumber(redis.call("GET", KEYS[1]) or "0")
local floor = tonumber(ARGV[1])
if given >= floor then return given end
redis.call("SET", KEYS[1], string.format("%.0f", floor))
return floor
