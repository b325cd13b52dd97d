-- Takes one ticket and notes which documents may be written with it, in one step: a reader who sees a higher ticket sees the note.
-- It follows the code of take-tickets.lua, as `take`.
-- KEYS[1] the ticket clock; then for each read model: its held tickets, its writers, its counts
-- ARGV[1..4] as take-tickets.lua has them; ARGV[5] now, in ms; then for each read model the number of its ids, and the ids
-- Returns {ticket, ticket, places}: for each read model the places (from 0) of those ids that somebody else has noted as well.
-- Or what take-tickets.lua returns when it gives none.
local taken = take()
if taken[1] <= 0 then return taken end
local ticket = string.format("%.0f", taken[1])
local at, places = 6, {}
for first = 2, #KEYS, 3 do
  local held, writers, counts = KEYS[first], KEYS[first + 1], KEYS[first + 2]
  local count, shared = tonumber(ARGV[at]), {}
  for place = 1, count do
    local id = ARGV[at + place]
    local others = redis.call("HGET", writers, id)
    if others then shared[#shared + 1] = place - 1 end
    redis.call("HSET", writers, id, others and (others .. " " .. ticket) or ticket)
  end
  if count > 0 then
    redis.call("ZADD", held, ticket, ticket)
    redis.call("HSET", counts, ticket, count .. " " .. ARGV[5])
  end
  places[#places + 1] = shared
  at = at + count + 1
end
return { taken[1], taken[2], places }
