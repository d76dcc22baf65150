-- Reads documents one after another, so that the program starts once: a line with the format and the
-- number of bytes, then the bytes; the answer is a line of JSON: the document, or what it is as "html"
-- (MediaWiki, and Markdown with some within), or the fault as "no". The last argument of `read` makes
-- it a sandbox: no file, no network.
io.stdout:setvbuf("full")
local function answered(content, format)
  local document = pandoc.read(content, format, { standalone = format == "rst" }, {})
  local html = format == "mediawiki"
  if format:match("^markdown") then
    local function found(element) html = html or element.format == "html" end
    document:walk({ RawInline = found, RawBlock = found })
  end
  if not html then return pandoc.write(document, "json") end
  local shown, about = pandoc.write(document, "html"), pandoc.Pandoc({}, document.meta)
  return '{"html":' .. pandoc.json.encode(shown) .. "," .. pandoc.write(about, "json"):sub(2)
end
for request in io.stdin:lines() do
  local format, size = request:match("^(%S+) (%d+)$")
  size = tonumber(size)
  local content = size > 0 and io.stdin:read(size) or ""  -- to read nothing would wait for more
  local read, answer = pcall(answered, content, format)
  io.stdout:write(read and answer or pandoc.json.encode({ no = tostring(answer) }), "\n")
  io.stdout:flush()
end
