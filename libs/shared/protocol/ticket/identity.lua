-- The identity of this Redis, of the process and of the history of its data: it changes with a restart, a failover and a full copy.
-- Put before the code of other scripts.
local identity = string.match(redis.call("INFO", "server"), "run_id:(%x+)")
  .. "/" .. string.match(redis.call("INFO", "replication"), "master_replid:(%x+)")
