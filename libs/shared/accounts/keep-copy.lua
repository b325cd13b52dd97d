-- Keeps a copy of a document, unless a newer one exists: a late read never replaces a later write.
-- KEYS[1] the copy
-- ARGV[1] version of the document, ARGV[2] seconds to keep it, ARGV[3..] field, value, field, value, ... (there may be none)
-- Returns 1 when it was kept, else 0.
local there = redis.call("HGET", KEYS[1], "version")
if there and tonumber(there) > tonumber(ARGV[1]) then return 0 end
redis.call("HSET", KEYS[1], "version", ARGV[1], unpack(ARGV, 3))
redis.call("EXPIRE", KEYS[1], ARGV[2])
return 1
