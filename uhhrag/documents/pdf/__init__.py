"""PDF: `places` of letters → `lines`, `fields` → no `running` heads → `pieces` joined → `order` →
`tables` → `blocks`, all by `reader`; `page` draws a page.
"""
