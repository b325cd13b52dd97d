-- Takes a lease, or renews it.
-- KEYS[1] the lease; its value is the holder, which may begin with a rank and ":"
-- ARGV[1] holder, ARGV[2] how long it lasts, in ms
-- Returns 1 if the asker has it, else 0
local function rank(holder) return tonumber(string.match(holder, "^(%d+):") or 0) end
local holder = redis.call("GET", KEYS[1])
if holder and holder ~= ARGV[1] and rank(holder) >= rank(ARGV[1]) then return 0 end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return 1
