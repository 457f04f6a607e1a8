-- oldest program: 0.2.0
-- The page that a creator's code is shared with (docs/adr/0067-brand.md).

-- Address with {code}, such as https://shop.example/?code={code}; null if codes are shared without a link.
alter table publisher add column code_link text collate "C";
-- squawk-ignore constraint-missing-not-valid -- publisher has a row per publisher, so the scan takes milliseconds
alter table publisher add constraint publisher_code_link_check
  check (code_link ~ '^https://' and strpos(code_link, '{code}') > 0 and length(code_link) <= 500);
