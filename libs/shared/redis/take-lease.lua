-- Takes a lease, or renews it.
-- KEYS[1] the lease; its value is the holder
-- ARGV[1] holder, ARGV[2] how long it lasts, in ms
-- Returns 1 if the asker has it, else 0
local holder = redis.call("GET", KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return 1
