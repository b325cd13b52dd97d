-- Raises the clock of tickets to at least a number. A missing clock stays missing.
-- KEYS[1] the last number given; ARGV[1] the number
-- Returns what the clock is then, or -1 when it is missing.
local given = redis.call("GET", KEYS[1])
if not given then return -1 end
local raised = math.max(tonumber(given), tonumber(ARGV[1]))
redis.call("SET", KEYS[1], string.format("%.0f", raised))
return raised
