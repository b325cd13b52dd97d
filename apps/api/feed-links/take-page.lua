-- The page of a feed link, or leave to make it. Of several concurrent callers, one makes it.
-- KEYS[1] page; KEYS[2] somebody makes it
-- ARGV[1] ms after which another one may try, if the first one died
-- Returns the page (JSON), 'make' or 'wait'
local page = redis.call("GET", KEYS[1])
if page then return page end
if redis.call("SET", KEYS[2], "1", "NX", "PX", ARGV[1]) then return "make" end
return "wait"
