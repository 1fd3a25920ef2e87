-- shares
-- Of each cell the games with a yes, a no, and no answer; a ruling decides a game or does not, whatever
-- the variant and the number of players.
WITH rulings AS (
    SELECT DISTINCT unnest(string_split(answer, ' ')) AS ruling FROM rows WHERE question = 'decides' AND number > 0
), judged AS (
    SELECT question, rules, under, variant, players, policy, turn, CASE
        WHEN answer IN ('legal', 'win', 'completable') THEN 'yes'
        WHEN answer IN ('illegal', 'loss', 'stuck', 'deadlocked') THEN 'no'
        WHEN answer = 'undetermined' THEN 'open' END AS said
    FROM rows WHERE question NOT IN ('length', 'left', 'decides', 'breaks', 'minimal')
    UNION ALL
    SELECT question || ' ' || ruling, rules, under, NULL, NULL, policy, turn, CASE
        WHEN answer = 'undetermined' THEN 'open'
        WHEN list_contains(string_split(answer, ' '), ruling) THEN 'yes'
        WHEN number IS NOT NULL THEN 'no' END
    FROM rows CROSS JOIN rulings WHERE question = 'decides'
)
SELECT question, rules, under, variant, players, policy, turn,
    count(*) FILTER (said = 'yes') AS yes, count(*) FILTER (said = 'no') AS no, count(*) FILTER (said = 'open') AS open
FROM judged WHERE said IS NOT NULL GROUP BY ALL ORDER BY ALL;

-- numbers
-- Of each cell the numbers that answers have, and how often.
SELECT question, rules, under, variant, players, policy, if(question = 'minimal', seed, turn) AS turn, number,
    count(*) AS games
FROM rows WHERE number IS NOT NULL AND question IN ('length', 'left', 'tower', 'table', 'breaks', 'minimal')
GROUP BY ALL ORDER BY ALL;

-- pairs
-- The same seed, or recorded game, under the first rules and under others: how often both, one, the other, neither.
WITH judged AS (
    SELECT question, seed, file, game, rules, variant, players, policy, turn,
        answer IN ('win', 'completable') AS yes
    FROM rows WHERE answer IN ('win', 'completable', 'loss', 'stuck', 'deadlocked')
)
SELECT a.question, b.rules, a.rules AS against, a.variant, a.players, a.policy, a.turn,
    count(*) FILTER (a.yes AND b.yes) AS both, count(*) FILTER (b.yes AND NOT a.yes) AS only_here,
    count(*) FILTER (a.yes AND NOT b.yes) AS only_there, count(*) FILTER (NOT a.yes AND NOT b.yes) AS neither
FROM judged a JOIN judged b ON a.question = b.question AND a.rules <> b.rules
    AND a.seed IS NOT DISTINCT FROM b.seed AND a.file IS NOT DISTINCT FROM b.file
    AND a.game IS NOT DISTINCT FROM b.game AND a.variant IS NOT DISTINCT FROM b.variant
    AND a.players IS NOT DISTINCT FROM b.players AND a.policy IS NOT DISTINCT FROM b.policy
    AND a.turn IS NOT DISTINCT FROM b.turn
WHERE a.rules = $first GROUP BY ALL ORDER BY ALL
