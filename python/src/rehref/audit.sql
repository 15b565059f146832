-- The audit of a crawl: broken targets and broken fragments, as `rehref audit DIRECTORY-OF-ARCHIVES` finds them.
--
-- Runs unchanged in Spark SQL and in DuckDB, over three views of the Parquet files of rehref.warc.audit_tables or
-- rehref.spark.audit_tables:
--   pages    a row per capture: its URL and host, what it says of them (state), the redirect target
--   links    a row per link whose target or fragment has to exist, or that is broken by itself (finding)
--   anchors  a row per anchor of a page
-- Whatever one page decides alone is decided when the tables are written: which links have to have a target, which
-- fragments need an anchor, and which of their shapes a script may handle.
--
-- finding: broken-target, broken-fragment, or not-archived if the crawl has no capture of the URL. reason of a broken
-- target: redirect-loop, or the status of the captured error, such as 404.
WITH RECURSIVE
-- Of several captures of a URL, content counts before a redirect, and a redirect before an error.
ranked AS (
  SELECT url, status, state, redirect,
    row_number() OVER (
      PARTITION BY url
      ORDER BY CASE state WHEN 'content' THEN 0 WHEN 'redirect' THEN 1 ELSE 2 END, file, number
    ) AS place
  FROM pages
  WHERE url IS NOT NULL
),
captures AS (SELECT url, status, state, redirect FROM ranked WHERE place = 1),
-- The capture that a URL asks for: crawls do not distinguish http: and https:, but the same scheme counts first.
other_schemes AS (
  SELECT url,
    CASE
      WHEN url LIKE 'https:%' THEN 'http:' || substr(url, 7)
      WHEN url LIKE 'http:%' THEN 'https:' || substr(url, 6)
    END AS other_url
  FROM captures
),
lookup AS (
  SELECT url AS asked, url FROM captures
  UNION ALL
  SELECT other_schemes.other_url, other_schemes.url
  FROM other_schemes
  LEFT JOIN captures ON captures.url = other_schemes.other_url
  WHERE captures.url IS NULL
),
hosts AS (SELECT DISTINCT host FROM pages WHERE host IS NOT NULL),
-- Redirects are followed for 19 steps. An empty URL is one that was not captured: it is external.
steps AS (
  SELECT captures.url, coalesce(lookup.url, '') AS next
  FROM captures
  LEFT JOIN lookup ON lookup.asked = captures.redirect
  WHERE captures.state = 'redirect'
),
followed(url, next, step) AS (
  SELECT url, next, 1 FROM steps
  UNION ALL
  SELECT followed.url, steps.next, followed.step + 1
  FROM followed
  JOIN steps ON steps.url = followed.next
  WHERE followed.step < 19 AND followed.next <> followed.url
),
-- A redirect without an end is a loop.
ends AS (
  SELECT followed.url, followed.next
  FROM followed
  LEFT JOIN steps ON steps.url = followed.next
  WHERE steps.url IS NULL
),
-- What each URL that may be asked for leads to.
outcomes AS (
  SELECT lookup.asked, coalesce(ends.next, captures.url) AS end_url,
    CASE
      WHEN captures.state = 'content' OR target.state = 'content' THEN 'content'
      WHEN ends.next = '' THEN 'external'
      WHEN captures.state = 'redirect' AND ends.url IS NULL THEN 'redirect-loop'
      ELSE CAST(coalesce(target.status, captures.status) AS VARCHAR(10))
    END AS outcome
  FROM lookup
  JOIN captures ON captures.url = lookup.url
  LEFT JOIN ends ON ends.url = captures.url
  LEFT JOIN captures target ON target.url = ends.next
),
-- The documents whose anchors are known: one for each URL.
numbered AS (
  SELECT url, file, number, shapes, forwards_to,
    row_number() OVER (PARTITION BY url ORDER BY file, number) AS place
  FROM pages
  WHERE has_anchors = 1
),
documents AS (SELECT url, file, number, shapes, forwards_to FROM numbered WHERE place = 1),
own_names AS (
  SELECT DISTINCT anchors.url, anchors.name
  FROM anchors
  JOIN documents
    ON documents.url = anchors.url
    AND documents.file = anchors.file
    AND documents.number = anchors.number
),
-- Pages that redirect at once and take the fragment along have the anchors of the page where they lead, too.
forwards AS (
  SELECT documents.url, outcomes.end_url AS next
  FROM documents
  JOIN outcomes ON outcomes.asked = documents.forwards_to AND outcomes.outcome = 'content'
),
names AS (
  SELECT url, name FROM own_names
  UNION
  SELECT forwards.url, own_names.name FROM forwards JOIN own_names ON own_names.url = forwards.next
),
checked AS (
  SELECT links.*,
    CASE
      WHEN links.finding IS NOT NULL THEN links.finding
      WHEN hosts.host IS NULL OR outcomes.outcome = 'external' THEN NULL
      WHEN outcomes.outcome = 'content' THEN
        CASE
          WHEN links.anchor1 IS NOT NULL AND documents.url IS NOT NULL
            AND one.name IS NULL AND two.name IS NULL AND (documents.shapes & links.shapes) = 0
          THEN 'broken-fragment'
        END
      WHEN links.reports_target = 0 THEN NULL
      WHEN outcomes.asked IS NULL THEN 'not-archived'
      ELSE 'broken-target'
    END AS found,
    CASE WHEN links.finding IS NULL THEN outcomes.outcome END AS outcome
  FROM links
  LEFT JOIN hosts ON hosts.host = links.target_host
  LEFT JOIN outcomes ON outcomes.asked = links.target_url
  LEFT JOIN documents ON documents.url = outcomes.end_url
  LEFT JOIN names one ON one.url = outcomes.end_url AND one.name = links.anchor1
  LEFT JOIN names two ON two.url = outcomes.end_url AND two.name = links.anchor2
)
SELECT file, number, url, checked.line, checked.column, element, attribute, reference, target,
  found AS finding,
  CASE WHEN found = 'broken-target' THEN outcome END AS reason
FROM checked
WHERE found IS NOT NULL
ORDER BY file, number, checked.line, checked.column, reference
