-- The page of a feed link, or leave to make it. Of several concurrent callers, one makes it; it may ask again when it did not hear the reply.
-- KEYS[1] page; KEYS[2] the lease of who makes it, which endLease ends
-- ARGV[1] the caller; ARGV[2] ms after which another one may try, if the first one died
-- Returns the page (JSON), 'make' or 'wait'
local page = redis.call("GET", KEYS[1])
if page then return page end
if redis.call("SET", KEYS[2], ARGV[1], "NX", "PX", ARGV[2]) or redis.call("GET", KEYS[2]) == ARGV[1] then return "make" end
return "wait"
