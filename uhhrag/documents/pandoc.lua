-- Reads documents one after another, so that the program starts once: a line with the format and the
-- number of bytes, then the bytes; the answer is a line with "json", "html" or "no" and a number of
-- bytes, then the document or the fault; HTML for a text that has some within. The last argument of `read` makes it a sandbox: no file, no network.
io.stdout:setvbuf("full")
for request in io.stdin:lines() do
  local format, size = request:match("^(%S+) (%d+)$")
  size = tonumber(size)
  local content = size > 0 and io.stdin:read(size) or ""  -- to read nothing would wait for more
  local read, result = pcall(pandoc.read, content, format, {}, {})
  local html = false
  if read and (format:match("^markdown") or format == "mediawiki") then
    local function found(element) html = html or element.format == "html" end
    result:walk({ RawInline = found, RawBlock = found })
  end
  local form = html and "html" or "json"
  local written, answer = pcall(function() return read and pandoc.write(result, form) end)
  local good = read and written
  if not good then answer = tostring(written and result or answer) end
  io.stdout:write(good and form or "no", " ", #answer, "\n", answer)
  io.stdout:flush()
end
