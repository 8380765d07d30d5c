#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Computes the scores in metric_figures.json, without using gloss.

A plain implementation of BLEU, chrF and TER from their definitions and of the tests from NumPy's functions, as
sacreBLEU documents them. Checked against the recorded results of sacreBLEU on the outputs of WMT 2017:

    metric_figures.py --check DIR    compares with DIR/expected_*.tsv (TER of the first system only: it is slow)
    metric_figures.py FILE           reads the texts of FILE and rewrites its scores

Needs Python 3.9 and, for the scores of random samples, NumPy 1.x: sacreBLEU's arithmetic mixes numbers of single
and double precision, and NumPy 2 rounds such results to single precision.
"""

import json
import math
import re
import sys
import unicodedata
from collections import Counter


# Tokenizers of BLEU.

def western(line, padded=True):
    line = " " + line + " " if padded else line
    line = re.sub(r"([{-~\[-` -&(-+:-@/])", r" \1 ", line)
    line = re.sub(r"([^0-9])([.,])", r"\1 \2 ", line)
    line = re.sub(r"([.,])([^0-9])", r" \1 \2", line)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", line).split()


def unescaped(line):
    for entity, mark in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        line = line.replace(entity, mark)
    return line


def is_chinese(c):
    # The ranges of sacreBLEU's tokenizer, two with its four-digit notation of five-digit code points.
    ranges = (("\u20000", "\u2a6d6"), ("\u2f800", "\u2fa1d"), ("\u3400", "\u4db5"), ("\u4e00", "\u9fa5"), ("\u9fa6", "\u9fbb"), ("\uf900", "\ufa2d"),
              ("\ufa30", "\ufa6a"), ("\ufa70", "\ufad9"), ("\uff00", "\uffef"), ("\u2e80", "\u2eff"),
              ("\u3000", "\u303f"), ("\u31c0", "\u31ef"), ("\u2f00", "\u2fdf"), ("\u2ff0", "\u2fff"),
              ("\u3100", "\u312f"), ("\u31a0", "\u31bf"), ("\ufe10", "\ufe1f"), ("\ufe30", "\ufe4f"),
              ("\u2600", "\u26ff"), ("\u2700", "\u27bf"), ("\u3200", "\u32ff"), ("\u3300", "\u33ff"))
    return any(first <= c <= last for first, last in ranges)


def international(line):
    def is_a(letter, i):
        return 0 <= i < len(line) and unicodedata.category(line[i]).startswith(letter)
    # A mark stays attached only where it joins two digits.
    line, out = line, line
    for pattern in ("before", "after"):
        line, out, i = out, [], 0
        while i < len(line):
            if pattern == "before" and i + 1 < len(line) and not is_a("N", i) and is_a("P", i + 1):
                out += [line[i], " ", line[i + 1], " "]
                i += 2
            elif pattern == "after" and i + 1 < len(line) and is_a("P", i) and not is_a("N", i + 1):
                out += [" ", line[i], " ", line[i + 1]]
                i += 2
            else:
                out.append(line[i])
                i += 1
        out = "".join(out)
    return "".join(f" {c} " if unicodedata.category(c).startswith("S") else c for c in out).split()


def tokens(line, name):
    line = line.rstrip()
    if name == "none":
        return line.split()
    if name == "13a":
        return western(unescaped(line.replace("<skipped>", "")))
    if name == "char":
        return [c for c in line if not c.isspace()]
    if name == "zh":
        return western("".join(f" {c} " if is_chinese(c) else c for c in line.strip()), padded=False)
    if name == "intl":
        return international(line)
    raise ValueError(name)


# Figures of a segment: BLEU [hypothesis, reference, matches..., n-grams...], chrF [hypothesis, reference,
# matches] by order, TER [edits, length].

def ngrams(items, n):
    return Counter(tuple(items[i:i + n]) for i in range(len(items) - n + 1))


def bleu_figures(hypothesis, references, options):
    if options.get("lowercase"):
        hypothesis, references = hypothesis.lower(), [line.lower() for line in references]
    name = options.get("tokenize", "13a")
    words, texts = tokens(hypothesis, name), [tokens(line, name) for line in references]
    length = min((abs(len(text) - len(words)), len(text)) for text in texts)[1]
    matches, totals = [], []
    for n in range(1, 5):
        allowed = Counter()
        for text in texts:
            allowed |= ngrams(text, n)
        matches.append(sum((ngrams(words, n) & allowed).values()))
        totals.append(max(0, len(words) - n + 1))
    return [len(words), length] + matches + totals


def chrf_words(line):
    words = []
    marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    for word in line.split():
        if len(word) > 1 and word[-1] in marks:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in marks:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def chrf_figures(hypothesis, references, options):
    best, best_score = None, -1
    for reference in references:
        lines = [hypothesis, reference]
        if options.get("lowercase"):
            lines = [line.lower() for line in lines]
        figures = []
        characters = ["".join(line.split()) for line in lines]
        words = [chrf_words(line) for line in lines]
        orders = [(characters, n + 1) for n in range(options.get("char_order", 6))]
        orders += [(words, n + 1) for n in range(options.get("word_order", 0))]
        for (own, other), n in orders:
            own, other = ngrams(own, n), ngrams(other, n)
            both = sum(other.values())
            figures += [sum(own.values()) if both else 0, both, sum((own & other).values())]
        score = chrf_score(figures, options)
        if score > best_score:
            best, best_score = figures, score
    return best


def tercom_line(line, options):
    if not options.get("case_sensitive"):
        line = line.lower()
    if options.get("normalized"):
        line = " " + unescaped(line) + " "
        line = re.sub(r"([{-~\[-` -&(-+:-@/])", r" \1 ", line).replace("'s ", " 's ")
        line = re.sub(r"([^0-9])([.,])", r"\1 \2 ", line)
        line = re.sub(r"([.,])([^0-9])", r" \1 \2", line)
        line = re.sub(r"([0-9])(-)", r"\1 \2 ", line)
        if options.get("asian_support"):
            line = re.sub("([\u4e00-\u9fff\u3400-\u4dbf\u31c0-\u31ef\u2e80-\u2eff\u3300-\u33ff\uf900-\ufaff"
                          "\ufe30-\ufe4f\u3200-\u3f22])", r" \1 ", line)
            line = re.sub("([" + ASIAN_MARKS + "])", r" \1 ", line)
    if options.get("no_punct"):
        line = re.sub("[.,?:;!\"()]", "", line)
        if options.get("asian_support"):
            line = re.sub("[" + ASIAN_MARKS + "]", "", line)
    return " ".join(line.split())


ASIAN_MARKS = ("\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb"
               "\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09")


def edits(words, reference):
    """The edit distance within a band around the diagonal, and its operations from the beginning."""
    ratio = len(reference) / len(words) if words else 1
    band = math.ceil(ratio / 2 + 25) if ratio / 2 > 25 else 25
    rows = [[(i, "insert") for i in range(len(reference) + 1)]]
    for i in range(1, len(words) + 1):
        row = [(10 ** 16, "none")] * (len(reference) + 1)
        middle = math.floor(i * ratio)
        last = len(reference) + 1 if i == len(words) else min(len(reference) + 1, middle + band)
        for j in range(max(0, middle - band), last):
            if j == 0:
                row[0] = (rows[i - 1][0][0] + 1, "remove")
                continue
            same = words[i - 1] == reference[j - 1]
            ways = [(rows[i - 1][j - 1][0] + (0 if same else 1), "keep" if same else "replace"),
                    (rows[i - 1][j][0] + 1, "remove"), (row[j - 1][0] + 1, "insert")]
            for way in ways:
                if row[j][0] > way[0]:
                    row[j] = way
        rows.append(row)
    trace, i, j = [], len(words), len(reference)
    while i > 0 or j > 0:
        kind = rows[i][j][1]
        trace.append(kind)
        i -= kind != "insert"
        j -= kind != "remove"
    return rows[-1][-1][0], trace[::-1]


def moved(words, start, length, target):
    phrase, end = words[start:start + length], start + length
    if target < start:
        return words[:target] + phrase + words[target:start] + words[end:]
    until = target if target > end else target + length
    return words[:start] + words[end:until] + phrase + words[until:]


def ter_edits(words, reference):
    """Tercom's greedy search: moves the phrase that lowers the edit distance most, until none does."""
    if not reference:
        return len(words)
    moves, tried = 0, 0
    while True:
        distance, trace = edits(words, reference)
        # The word before each place of the reference, and the places with errors.
        partner, word_errors, reference_errors = [], [], []
        for kind in trace:
            if kind != "insert":
                word_errors.append(kind != "keep")
            if kind != "remove":
                reference_errors.append(kind != "keep")
                partner.append(len(word_errors) - 1)
        best = None
        for start in range(len(words)):
            for place in range(len(reference)):
                if abs(place - start) > 50:
                    continue
                for length in range(1, 11):
                    if words[start:start + length] != reference[place:place + length] or \
                            start + length > len(words) or place + length > len(reference):
                        break
                    if not any(word_errors[start:start + length]) or \
                            not any(reference_errors[place:place + length]) or \
                            start <= partner[place] < start + length:
                        if tried >= 1000:
                            break
                        continue
                    before = -1
                    for offset in range(-1, length):
                        at = place + offset
                        if at >= len(reference):
                            break
                        target = 0 if at < 0 else partner[at] + 1
                        if target == before:
                            continue
                        before = target
                        changed = moved(words, start, length, target)
                        gain = distance - edits(changed, reference)[0]
                        tried += 1
                        candidate = (gain, length, -start, -target, changed)
                        if best is None or candidate > best:
                            best = candidate
                    if tried >= 1000:
                        break
        if tried >= 1000 or best is None or best[0] <= 0:
            return moves + distance
        moves += 1
        words = best[4]


def ter_figures(hypothesis, references, options):
    words = tercom_line(hypothesis.rstrip(), options).split()
    # sacreBLEU prepares references twice.
    texts = [tercom_line(tercom_line(line.rstrip(), options), options).split() for line in references]
    return [min(ter_edits(words, text) for text in texts), sum(len(text) for text in texts) / len(texts)]


# Scores from sums of figures; the arithmetic is that of the type of the sums.

def bleu_score(sums, options):
    length, reference = int(sums[0]), int(sums[1])
    correct, totals = [x for x in sums[2:6]], [x for x in sums[6:10]]
    method, value = options.get("smooth_method", "exp"), options.get("smooth_value")
    if value is None:
        value = 0.1 if method == "floor" else 1
    penalty = 1.0
    if length < reference:
        penalty = math.exp(1 - reference / length) if length else 0.0
    if not any(correct):
        return 0.0
    halving, logarithms, orders = 1.0, [], 4
    for n in range(4):
        if method == "add-k" and n > 0:
            # The counts of random samples are elements of an array, which keeps its precision.
            single = type(correct[n]) if hasattr(correct[n], "dtype") else float
            correct[n], totals[n] = single(correct[n] + value), single(totals[n] + value)
        if totals[n] == 0:
            break
        if options.get("effective_order"):
            orders = n + 1
        precision = 0.0
        if correct[n] > 0:
            precision = 100.0 * correct[n] / totals[n]
        elif method == "exp":
            halving *= 2
            precision = 100.0 / (halving * totals[n])
        elif method == "floor":
            precision = 100.0 * value / totals[n]
        logarithms.append(math.log(precision) if precision > 0 else -9999999999)
    logarithms += [-9999999999] * (4 - len(logarithms))
    return penalty * math.exp(sum(logarithms[:orders]) / orders)


def chrf_score(sums, options):
    factor, tiny = options.get("beta", 2) ** 2, 1e-16
    total, precisions, recalls, orders = 0.0, 0.0, 0.0, 0
    for own, other, both in zip(sums[0::3], sums[1::3], sums[2::3]):
        precision = both / own if own > 0 else tiny
        recall = both / other if other > 0 else tiny
        bottom = factor * precision + recall
        total += (1 + factor) * precision * recall / bottom if bottom > 0 else tiny
        if own > 0 and other > 0:
            precisions, recalls, orders = precisions + precision, recalls + recall, orders + 1
    if options.get("eps_smoothing"):
        return 100 * total / (len(sums) // 3)
    if orders == 0 or precisions + recalls == 0:
        return 0.0
    precisions, recalls = precisions / orders, recalls / orders
    return 100 * ((1 + factor) * precisions * recalls / (factor * precisions + recalls))


def ter_score(sums, _):
    if sums[1] > 0:
        return 100 * (sums[0] / sums[1])
    return 100.0 if sums[0] > 0 else 0.0


METRICS = {"bleu": (bleu_figures, bleu_score), "chrf": (chrf_figures, chrf_score), "ter": (ter_figures, ter_score)}


def rows_of(metric, hypotheses, references, options):
    figures = METRICS[metric][0]
    # An empty reference among several is padding.
    return [figures(line, [x for x in texts if x] or texts, options) for line, texts in zip(hypotheses, references)]


def score_of(metric, rows, options):
    return METRICS[metric][1]([sum(column) for column in zip(*rows)], options)


def paired_bootstrap(metric, baseline, system, options, samples=1000):
    import numpy
    score = METRICS[metric][1]
    drawn = numpy.random.default_rng(12345).choice(len(baseline), size=(samples, len(baseline)), replace=True)
    sampled = []
    for rows in (baseline, system):
        rows = numpy.array(rows, dtype="float32")
        sampled.append(numpy.array([score(rows[one].sum(0), options) for one in drawn]))
    result = []
    for scores in sampled:
        ordered, outside = numpy.sort(scores), samples // 40
        result.append([float(ordered.mean()), float(0.5 * (ordered[samples - outside - 1] - ordered[outside]))])
    distances = numpy.abs(sampled[1] - sampled[0])
    difference = abs(score_of(metric, baseline, options) - score_of(metric, system, options))
    larger = int(((distances - distances.mean()) > difference).sum())
    return {"baseline": result[0], "system": result[1], "p_value": (larger + 1) / (samples + 1)}


def check(folder):
    def read(name):
        with open(f"{folder}/{name}", encoding="utf-8", newline="\n") as file:
            return [line.rstrip() for line in file]
    references = [[line] for line in read("ref.de")]
    worst = 0.0
    columns = {"bleu_13a": ("bleu", {}), "bleu_none": ("bleu", {"tokenize": "none"}),
               "bleu_intl": ("bleu", {"tokenize": "intl"}), "bleu_char": ("bleu", {"tokenize": "char"}),
               "bleu_lc_13a": ("bleu", {"lowercase": True}), "chrf": ("chrf", {}),
               "chrf++": ("chrf", {"word_order": 2}), "chrf_eps_b3": ("chrf", {"eps_smoothing": True, "beta": 3}),
               "chrf_lc": ("chrf", {"lowercase": True}), "ter": ("ter", {})}
    for name in ("bleu_chrf", "ter"):
        rows = [line.split("\t") for line in read(f"expected_{name}_sacrebleu_2.6.0.tsv")]
        for row in rows[1:2] if name == "ter" else rows[1:]:
            lines = read(f"systems/{row[0]}.txt")
            for title, wanted in zip(rows[0], row):
                if title not in columns:
                    continue
                metric, options = columns[title]
                found = score_of(metric, rows_of(metric, lines, references, options), options)
                worst = max(worst, abs(found - float(wanted)))
                print(f"{row[0]:45} {title:12} {found:.8f} {wanted}", flush=True)
    print("largest difference:", worst)
    return 0 if worst < 1e-6 else 1


def fill(path):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    for case in data["cases"]:
        metric, options = case["metric"], case["options"]
        test = data["tests"][case["test"]]
        rows = [rows_of(metric, lines, test["references"], options) for lines in (test["baseline"], test["system"])]
        case["scores"] = [score_of(metric, one, options) for one in rows]
        sentence = dict(options, effective_order=True)
        case["sentences"] = [METRICS[metric][1](row, sentence) for row in rows[1]]
        if case.get("samples"):
            case["paired_bootstrap"] = paired_bootstrap(metric, rows[0], rows[1], options, case["samples"])
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(data, ensure_ascii=False, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(check(sys.argv[2]) if sys.argv[1] == "--check" else fill(sys.argv[1]))
