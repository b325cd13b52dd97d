"""Uses a client generated from the OpenAPI document. mypy accepts it only while the document has these names and types."""

import os
from datetime import date

from tranche_client import AuthenticatedClient
from tranche_client.api.lists import list_companies, list_signals, list_funding_rounds
from tranche_client.api.look_ups import get_company
from tranche_client.models import (
    CompaniesList,
    CompaniesSortParameter,
    Company,
    CompanyResponse,
    CompanySignals,
    DealTypeParameter,
    ErrorResponse,
    FundingList,
    FundingRound,
    SignalsList,
)
from tranche_client.types import UNSET, Unset

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["API_KEY"])


def page(**query) -> FundingList:
    answer = list_funding_rounds.sync(client=client, **query)
    assert isinstance(answer, FundingList), answer
    return answer


# A filter with several values.
several = page(country=["US", "CA"], deal_types=[DealTypeParameter.SERIES_A, DealTypeParameter.SERIES_B], limit=10)
assert several.pagination.count > 0
for row in several.data:
    assert row.deal_type in ("series_a", "series_b"), row.deal_type

# Exclusion.
for row in page(country=["!US"]).data:
    assert row.company.country != "US"

# All pages, by cursor.
seen: dict[str, FundingRound] = {}
cursor: str | Unset = UNSET
while True:
    got = page(min_amount_usd=200_000_000, limit=50, cursor=cursor)
    seen.update({row.id: row for row in got.data})
    if got.pagination.next_cursor is None:
        break
    cursor = got.pagination.next_cursor
assert len(seen) == got.pagination.count > 50, (len(seen), got.pagination.count)

# Companies by age and size, the largest first. The showcase alone has both; without it there is no row, and the answer says what was asked.
sized = list_companies.sync(
    client=client,
    min_headcount=50,
    max_headcount=200,
    min_founded_year=2005,
    max_founded_year=2012,
    sort=CompaniesSortParameter.HEADCOUNT_DESC,
    limit=50,
)
assert isinstance(sized, CompaniesList), sized
applied = sized.filters_applied
assert (applied.min_headcount, applied.max_headcount, applied.sort) == (50, 200, "headcount_desc"), applied
assert (applied.min_founded_year, applied.max_founded_year) == (2005, 2012), applied
heads: list[int] = []
for of_size in sized.data:
    assert isinstance(of_size, Company) and of_size.founded_year is not None and of_size.headcount is not None, of_size
    assert 2005 <= of_size.founded_year <= 2012 and 50 <= of_size.headcount <= 200, of_size
    heads.append(of_size.headcount)
assert heads == sorted(heads, reverse=True), heads

# An error, with its type.
refused = list_funding_rounds.sync_detailed(client=client, from_=date(2013, 3, 1), to=date(2013, 2, 1))
assert refused.status_code == 400
assert isinstance(refused.parsed, ErrorResponse)
assert refused.parsed.error.code == "invalid_parameter"

# A look-up.
first = next(iter(seen.values()))
company = get_company.sync(first.company.id, client=client)
assert isinstance(company, CompanyResponse)
assert company.data.company.name == first.company.name

# A later version: other words and members.
later = AuthenticatedClient(base_url=os.environ["LATER_URL"], token=os.environ["API_KEY"])
rounds = list_funding_rounds.sync(client=later, limit=5)
assert isinstance(rounds, FundingList), rounds
assert [row.deal_type for row in rounds.data] == ["later_deal_type"] * 5
assert rounds.data[0].amount_usd == page(limit=5).data[0].amount_usd
companies = list_signals.sync(client=later, limit=5)
assert isinstance(companies, SignalsList), companies
signals = companies.data[0]
assert isinstance(signals, CompanySignals), signals
assert signals.signals[0] == signals.signal_details[0].key == "later_signal"
known = get_company.sync(first.company.id, client=later)
assert isinstance(known, CompanyResponse) and known.data.company.name == first.company.name
unknown = list_funding_rounds.sync(client=later, from_=date(2013, 3, 1), to=date(2013, 2, 1))
assert isinstance(unknown, ErrorResponse) and unknown.error.code == "later_code", unknown

print(f"Python: {several.pagination.count} rows for several values, {len(seen)} by cursor")
