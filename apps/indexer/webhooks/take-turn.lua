-- Takes the turn to send changes to a webhook, or keeps it.
-- KEYS[1] who has the turn
-- ARGV[1] who asks, ARGV[2] how long the turn is leased, in ms
-- Returns 1 if it is taken, else 0
local holder = redis.call("GET", KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return 1
