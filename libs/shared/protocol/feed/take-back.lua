-- Takes back the note of a ticket, after its documents are visible. Documents that were written also leave the notes of lower tickets,
-- because Elasticsearch refuses those now.
-- KEYS[1] the held tickets of the read model; KEYS[2] its writers; KEYS[3] its counts; KEYS[4] the moves
-- ARGV[1] the ticket; ARGV[2] the read model; ARGV[3] how many ids follow that were written; then these, and then those that were not
-- Returns 1, or 0 when the note is gone: then nothing is changed, and its documents have to be written again under another ticket.
local held, writers, counts, ticket = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
if redis.call("HEXISTS", counts, ticket) == 0 then return 0 end
local written = 3 + tonumber(ARGV[3])
for place = 4, #ARGV do
  local id, kept = ARGV[place], {}
  -- Tickets have as many digits each, so texts compare as numbers do.
  for noted in string.gmatch(redis.call("HGET", writers, id) or "", "%d+") do
    if noted == ticket or (noted < ticket and place <= written) then
      local left, since = string.match(redis.call("HGET", counts, noted) or "", "(%d+) (%d+)")
      if left then
        -- A count of 0 stays until its own writer removes it; otherwise that writer would take it for lost.
        redis.call("HSET", counts, noted, (left - 1) .. " " .. since)
        if left == "1" then redis.call("ZREM", held, noted) end
      end
    else
      kept[#kept + 1] = noted
    end
  end
  if #kept > 0 then redis.call("HSET", writers, id, table.concat(kept, " ")) else redis.call("HDEL", writers, id) end
end
redis.call("HDEL", counts, ticket)
redis.call("ZREM", held, ticket)
redis.call("HINCRBY", KEYS[4], ARGV[2], 1)
return 1
