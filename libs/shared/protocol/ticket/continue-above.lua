-- Raises the clock of tickets to at least a number. A missing clock stays missing, and that of another Redis as it is: it would no longer
-- show which numbers are lost. It follows the code of identity.lua.
-- KEYS[1] the last number given; ARGV[1] the number; ARGV[2] the identity of the Redis that was examined
-- Returns what the clock is then, or -1 when it was not raised.
if identity ~= ARGV[2] then return -1 end
local given = redis.call("GET", KEYS[1])
if not given then return -1 end
local raised = math.max(tonumber(given), tonumber(ARGV[1]))
redis.call("SET", KEYS[1], string.format("%.0f", raised))
return raised
