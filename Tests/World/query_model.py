"""The meaning of queries once more, in Python: objects are dictionaries as REST has them, and so are conditions."""

import math
import re

RADIUS = {"$maxDistance": 1, "$maxDistanceInKilometers": 6371, "$maxDistanceInMiles": 3959}


def worth(value):
    """What values are compared by: the kind first, and texts by their bytes."""
    match value:
        case None:
            return (0,)
        case bool():
            return 9, value
        case int() | float():
            return 1, value
        case str():
            return 2, value.encode()
        case list():
            return 6, [worth(one) for one in value]
    if value.get("__type") == "Pointer":
        return 8, value["className"], value["objectId"]
    if value.get("__type") == "Date":
        return 10, value["iso"]
    if value.get("__type") == "GeoPoint":
        return 5, value["latitude"], value["longitude"]
    return 3, sorted((name.encode(), worth(one)) for name, one in value.items())


def reached(value, parts):
    """All values at a path; lists on the way are gone into."""
    if not parts:
        return [value]
    if isinstance(value, dict):
        return reached(value[parts[0]], parts[1:]) if parts[0] in value else []
    if isinstance(value, list):
        found = []
        if parts[0].isdigit() and int(parts[0]) < len(value):
            found += reached(value[int(parts[0])], parts[1:])
        for one in value:
            if isinstance(one, dict):
                found += reached(one, parts)
        return found
    return []


def distance(first, second):
    """The angle between two places, by the haversine formula."""
    a, b, c, d = (math.radians(place[name]) for place in (first, second) for name in ("latitude", "longitude"))
    half = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
    return 2 * math.asin(min(1, math.sqrt(half)))


def with_elements(values):
    """The values, and those in lists among them."""
    return values + [one for value in values if isinstance(value, list) for one in value]


def equals(values, wanted):
    if wanted is None and all(value is None for value in values):
        return True
    return any(worth(value) == worth(wanted) for value in with_elements(values))


def compares(values, limit, test):
    limit = worth(limit)
    return any(worth(value)[0] == limit[0] and test(worth(value), limit) for value in with_elements(values))


def is_place(value):
    return isinstance(value, dict) and value.get("__type") == "GeoPoint"


def is_met(name, wanted, values, all_of_them):
    """One constraint of the values at a path."""
    match name:
        case "$eq":
            return equals(values, wanted)
        case "$ne":
            return not equals(values, wanted)
        case "$in":
            return any(equals(values, one) for one in wanted)
        case "$nin":
            return not any(equals(values, one) for one in wanted)
        case "$lt":
            return compares(values, wanted, lambda a, b: a < b)
        case "$lte":
            return compares(values, wanted, lambda a, b: a <= b)
        case "$gt":
            return compares(values, wanted, lambda a, b: a > b)
        case "$gte":
            return compares(values, wanted, lambda a, b: a >= b)
        case "$exists":
            return bool(values) == wanted
        case "$all":
            return bool(wanted) and any(all(equals([value], one) for one in wanted) for value in values)
        case "$containedBy":
            allowed = [worth(one) for one in wanted]
            return any(isinstance(value, list) and all(worth(one) in allowed for one in value) for value in values)
        case "$regex":
            flags = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}
            flag = sum((flags[letter] for letter in all_of_them.get("$options", "")), re.NOFLAG)
            return any(isinstance(value, str) and re.search(wanted, value, flag) for value in with_elements(values))
        case "$nearSphere":
            limits = [all_of_them[unit] / radius for unit, radius in RADIUS.items() if unit in all_of_them]
            return any(is_place(value) and distance(wanted, value) <= min(limits, default=9)
                       for value in with_elements(values))
        case "$within":
            first, second = wanted["$box"]
            return any(
                is_place(value) and all(min(first[name], second[name]) <= value[name] <= max(first[name], second[name])
                                        for name in ("latitude", "longitude")) for value in with_elements(values))
    return True


def matches(where, object):
    for name, wanted in where.items():
        if name == "$or":
            is_right = any(matches(part, object) for part in wanted)
        elif name == "$and":
            is_right = all(matches(part, object) for part in wanted)
        elif name == "$nor":
            is_right = not any(matches(part, object) for part in wanted)
        else:
            values = reached(object, name.split("."))
            is_constraint = isinstance(wanted, dict) and any(key.startswith("$") for key in wanted)
            constraints = wanted if is_constraint else {"$eq": wanted}
            is_right = all(is_met(key, one, values, constraints) for key, one in constraints.items())
        if not is_right:
            return False
    return True


def ordered(objects, order):
    """Sorted by "a,-b"; those that are equal stay as they are."""
    for name in reversed([name for name in order.split(",") if name]):
        is_back = name.startswith("-")

        def key(object):
            values = []
            for value in reached(object, name.lstrip("-").split(".")):
                values += value if isinstance(value, list) else [value]
            return (max if is_back else min)((worth(value) for value in values), default=(0,))

        objects = sorted(objects, key=key, reverse=is_back)
    return objects


def asked(objects, where, order="", skip=0, limit=100):
    """The objects of a query, and how many match in all."""
    found = ordered([one for one in objects if matches(where, one)], order)
    return found[skip:skip + limit], len(found)
